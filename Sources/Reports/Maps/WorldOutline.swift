import COutline

/// The land, lakes and borders of the world, for maps that need no network. They are Natural Earth's, in the public
/// domain, and accurate to about a kilometre. `Sources/COutline/outline.py` creates the data and describes their
/// format.
package struct WorldOutline: Sendable {
    package enum Kind: Int, Sendable, CaseIterable { case land, lake, border }

    struct Line: Sendable {
        var kind: Kind
        /// The points in degrees.
        var points: [(latitude: Double, longitude: Double)]
        var south: Double
        var north: Double
        var west: Double
        var east: Double
    }

    let lines: [Line]

    /// Natural Earth's outlines, read when the first map is drawn.
    ///
    /// The buffer is a constant of the program: it has the stated length, and is never freed.
    package static let world = WorldOutline(
        UnsafeBufferPointer(start: openhealthkit_outline(), count: openhealthkit_outline_length()))

    private static let unitsPerDegree = 200.0

    /// - Parameter data: The data. A line that is cut off or of an unknown kind ends the list.
    init(_ data: some Sequence<UInt8>) {
        var bytes = data.makeIterator()
        func number() -> Int? {
            var (value, shift) = (0, 0)
            while shift < 35, let byte = bytes.next() {
                value |= Int(byte & 127) << shift
                if byte < 128 { return value }
                shift += 7
            }
            return nil
        }
        func step() -> Int? { number().map { $0 & 1 == 0 ? $0 >> 1 : -($0 >> 1) - 1 } }
        var lines: [Line] = []
        var (x, y) = (0, 0)
        reading: while let kind = number().flatMap(Kind.init(rawValue:)), let count = number() {
            var line = Line(kind: kind, points: [], south: 90, north: -90, west: 360, east: -360)
            for _ in 0..<count {
                guard let east = step(), let north = step() else { break reading }
                (x, y) = (x + east, y + north)
                let (latitude, longitude) = (Double(y) / Self.unitsPerDegree, Double(x) / Self.unitsPerDegree)
                line.points.append((latitude, longitude))
                line.south = min(line.south, latitude)
                line.north = max(line.north, latitude)
                line.west = min(line.west, longitude)
                line.east = max(line.east, longitude)
            }
            lines.append(line)
        }
        self.lines = lines
    }

    // MARK: Drawing

    /// Draws the sea with land, lakes and borders over it, as far as the frame shows them. Returns nil if it shows only
    /// land or only sea.
    func markup(in frame: MapFrame) -> Markup? {
        let box = frame.box
        let middle = (box.west + box.east) / 2
        var fills = [Kind: PathData]()
        var strokes = [Kind: PathData]()
        var hasCoast = false
        for line in lines where line.south <= box.north && line.north >= box.south {
            // The world continues beyond the date line.
            for turn in [-360.0, 0, 360] where line.west + turn <= box.east && line.east + turn >= box.west {
                let points = line.points.map {
                    frame.point(
                        north: $0.latitude - (box.south + box.north) / 2, east: $0.longitude + turn - middle)
                }
                guard line.kind != .border else {
                    for piece in frame.clipped(line: points) {
                        strokes[.border, default: PathData()].polyline(piece.map { ($0.x, $0.y) })
                    }
                    continue
                }
                let ring = frame.clipped(ring: points)
                guard ring.count > 2 else { continue }
                hasCoast = hasCoast || ring.contains { frame.contains($0) }
                fills[line.kind, default: PathData()].polyline(ring.map { ($0.x, $0.y) })
                fills[line.kind]?.close()
            }
        }
        // Land that fills the picture shows no coast.
        guard hasCoast || fills[.lake] != nil || strokes[.border] != nil else { return nil }
        var markup = Markup()
        markup.element("g", ["class": "outline"]) { group in
            group.element(
                "rect", ["class": "sea", "width": "\(Int(frame.width))", "height": "\(Int(frame.height))"]
            ) { _ in }
            for (kind, style) in [(Kind.land, "land"), (.lake, "sea lake")] {
                guard let path = fills[kind] else { continue }
                group.element("path", ["class": style, "fill-rule": "evenodd", "d": path.text]) { _ in }
            }
            if let path = strokes[.border] { group.element("path", ["class": "border", "d": path.text]) { _ in } }
        }
        return markup
    }
}
