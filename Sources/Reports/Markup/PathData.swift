/// The `d` of an SVG path: absolute moves and lines, in whole units of its picture.
package struct PathData: Sendable {
    private var bytes: [UInt8] = []
    private var last: (x: Int, y: Int)?

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func move(_ x: Double, _ y: Double) {
        let point = Self.whole(x, y)
        add(UInt8(ascii: "M"), point)
        last = point
    }

    /// Adds a line to the point. Does nothing if it is the last point.
    package mutating func line(_ x: Double, _ y: Double) {
        let point = Self.whole(x, y)
        if let last, last == point { return }
        add(UInt8(ascii: "L"), point)
        last = point
    }

    /// Adds a line through points. A single point becomes a dot if lines have round ends.
    package mutating func polyline(_ points: some Collection<(x: Double, y: Double)>) {
        guard let first = points.first else { return }
        move(first.x, first.y)
        let length = bytes.count
        for point in points.dropFirst() { line(point.x, point.y) }
        if bytes.count == length { bytes += "h1".utf8 }
    }

    package mutating func close() { bytes.append(UInt8(ascii: "Z")) }

    private mutating func add(_ command: UInt8, _ point: (x: Int, y: Int)) {
        bytes.append(command)
        Self.append(point.x, to: &bytes)
        if point.y >= 0 { bytes.append(UInt8(ascii: " ")) }
        Self.append(point.y, to: &bytes)
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number.magnitude
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private static func whole(_ x: Double, _ y: Double) -> (x: Int, y: Int) { (whole(x), whole(y)) }

    private static func whole(_ value: Double) -> Int {
        value.isFinite ? Int(min(max(value, -1e6), 1e6).rounded()) : 0
    }
}
