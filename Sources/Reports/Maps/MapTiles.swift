package import Foundation
import HealthStore
import SessionLog

/// The tiles of a web map. At zoom z, the world between 85 degrees south and north is 2^z squares wide and high
/// (EPSG:3857, web Mercator).
package struct MapTiles: Sendable {
    package struct Place: Sendable, Hashable {
        package var zoom: Int
        /// The column, counted from the date line to the east.
        package var column: Int
        /// The row, counted from the north.
        package var row: Int
    }

    var zooms: ClosedRange<Int>
    /// The map's authors, as plain text.
    var attribution: String
    /// The server from which an opened page loads pictures, in the form of its security policy
    /// (`https://tiles.example.org`). Nil if the pictures are in the page.
    var origin: String?
    /// Returns the address of a picture, or the picture itself as a `data:` address. Returns nil if there is no such
    /// tile.
    var address: @Sendable (Place) throws -> String?

    init(
        zooms: ClosedRange<Int>, attribution: String, origin: String? = nil,
        address: @escaping @Sendable (Place) throws -> String?
    ) {
        self.zooms = zooms
        self.attribution = attribution
        self.origin = origin
        self.address = address
    }

    // MARK: Where tiles come from

    /// Creates the tiles of an MBTiles or PMTiles file. Their pictures are put into the page.
    package init(file url: URL) throws {
        let mark = try? SharedFile(url.path).bytes(at: 0, count: PMTiles.mark.count)
        if mark == PMTiles.mark {
            let file = try PMTiles(url)
            self.init(zooms: file.zooms, attribution: Self.plain(file.attribution)) {
                try file.tile($0).flatMap(Self.dataAddress)
            }
            return
        }
        let file = try MBTiles(url)
        self.init(zooms: file.zooms, attribution: Self.plain(file.attribution)) { place in
            let row = (1 << place.zoom) - 1 - place.row
            return try file.tile(zoom: place.zoom, column: place.column, row: row).flatMap(Self.dataAddress)
        }
    }

    /// Creates the tiles of a server. The browser loads them when it opens the page.
    /// - Parameter template: An address with `{z}`, `{x}` and `{y}`, such as
    ///   `https://tiles.example.org/{z}/{x}/{y}.png`.
    /// - Returns: Nil if it is no such address.
    package init?(template: String) {
        guard ["{z}", "{x}", "{y}"].allSatisfy(template.contains),
            let url = URLComponents(string: template.replacing(#/[{}]/#, with: "")), let host = url.host, !host.isEmpty,
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { return nil }
        let isOpenStreetMap = host == "openstreetmap.org" || host.hasSuffix(".openstreetmap.org")
        self.init(
            zooms: 0...19, attribution: isOpenStreetMap ? "© OpenStreetMap contributors" : host,
            origin: "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
        ) { place in
            template.replacingOccurrences(of: "{z}", with: "\(place.zoom)")
                .replacingOccurrences(of: "{x}", with: "\(place.column)")
                .replacingOccurrences(of: "{y}", with: "\(place.row)")
        }
    }

    /// Removes elements, and decodes the entities that attributions use. The page escapes the text again.
    private static func plain(_ html: String) -> String {
        html.replacing(#/<[^>]*>/#, with: "").replacingOccurrences(of: "&copy;", with: "©")
            .replacingOccurrences(of: "&amp;", with: "&").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns nil for a format that no browser shows.
    private static func dataAddress(_ picture: Data) -> String? {
        let type: String
        if picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            type = "png"
        } else if picture.starts(with: [0xFF, 0xD8]) {
            type = "jpeg"
        } else if picture.starts(with: Data("RIFF".utf8)), picture.dropFirst(8).starts(with: Data("WEBP".utf8)) {
            type = "webp"
        } else {
            return nil
        }
        return "data:image/\(type);base64,\(picture.base64EncodedString())"
    }

    // MARK: Which

    /// The maximum number of tiles. A picture of a thousand units is some 700 pixels wide, for which this many tiles of
    /// 256 suffice.
    static let mostTiles = 30
    /// The maximum for a file that begins at a high zoom.
    static let mostTilesAtAll = 300

    /// Returns the columns and rows that a frame shows. Columns may be beyond the date line.
    static func span(_ frame: MapFrame, zoom: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let box = frame.box
        let count = 1 << zoom
        let left = Int(((box.west + 180) / 360 * Double(count)).rounded(.down))
        let right = Int(((box.east + 180) / 360 * Double(count)).rounded(.down))
        let top = min(max(Int((row(box.north) * Double(count)).rounded(.down)), 0), count - 1)
        let bottom = min(max(Int((row(box.south) * Double(count)).rounded(.down)), top), count - 1)
        return (left...max(left, right), top...bottom)
    }

    /// Returns 0 at the northern edge of the map, 1 at the southern.
    private static func row(_ latitude: Double) -> Double {
        let radians = min(max(latitude, -85.0511), 85.0511) * .pi / 180
        return (1 - log(tan(radians) + 1 / cos(radians)) / .pi) / 2
    }

    private static func latitude(row: Double) -> Double { atan(sinh(.pi * (1 - 2 * row))) * 180 / .pi }

    /// Returns the largest zoom that does not need too many tiles.
    func zoom(for frame: MapFrame) -> Int? {
        func count(_ zoom: Int) -> Int {
            let (columns, rows) = Self.span(frame, zoom: zoom)
            return columns.count * rows.count
        }
        if let zoom = zooms.last(where: { count($0) <= Self.mostTiles }) { return zoom }
        return count(zooms.lowerBound) <= Self.mostTilesAtAll ? zooms.lowerBound : nil
    }

    /// Returns the tiles behind the route through these places. Returns nil if there is no route, or no tile shows any
    /// of it.
    package func layer(behind places: [WorkoutTimeline.Place]) throws -> MapLayer? {
        guard let frame = MapFrame(around: places), let zoom = zoom(for: frame) else { return nil }
        let (columns, rows) = Self.span(frame, zoom: zoom)
        let count = 1 << zoom
        let middle = ((frame.box.south + frame.box.north) / 2, (frame.box.west + frame.box.east) / 2)
        func corner(_ column: Int, _ row: Int) -> MapFrame.Point {
            frame.point(
                north: Self.latitude(row: Double(row) / Double(count)) - middle.0,
                east: Double(column) / Double(count) * 360 - 180 - middle.1)
        }
        var layer = MapLayer(attribution: attribution, origin: origin)
        for row in rows {
            for column in columns {
                let onWorld = ((column % count) + count) % count
                guard let address = try address(Place(zoom: zoom, column: onWorld, row: row)) else { continue }
                let (first, last) = (corner(column, row), corner(column + 1, row + 1))
                // A little larger, so that no gap shows between tiles.
                layer.markup.element(
                    "image",
                    [
                        "x": Self.text(first.x), "y": Self.text(first.y), "width": Self.text(last.x - first.x + 0.5),
                        "height": Self.text(last.y - first.y + 0.5), "preserveAspectRatio": "none", "href": address,
                    ]
                ) { _ in }
                layer.count += 1
            }
        }
        return layer.count > 0 ? layer : nil
    }

    private static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

/// The tiles behind one route.
package struct MapLayer: Sendable {
    var markup = Markup()
    var count = 0
    var attribution: String
    /// The server of the pictures: see ``MapTiles/origin``.
    package var origin: String?

    init(attribution: String, origin: String?) {
        self.attribution = attribution
        self.origin = origin
    }
}
