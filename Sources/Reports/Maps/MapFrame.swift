import Foundation

/// The area that a map shows. North is up, and the scale is the same in all directions.
struct MapFrame: Sendable {
    struct Point: Sendable, Equatable {
        var x: Double
        var y: Double
    }

    static let metersPerDegree = 111_195.0

    let width: Double
    let height: Double
    let metersPerUnit: Double
    /// The latitude of the middle, and its longitude.
    private let latitude: Double
    private let longitude: Double
    /// The length of a degree of longitude, as a fraction of one of latitude.
    private let shrink: Double

    /// - Parameters:
    ///   - latitude: The latitude of the middle, in degrees.
    ///   - width: The width in units of the picture, as is the height.
    init(latitude: Double, longitude: Double, metersPerUnit: Double, width: Double, height: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.metersPerUnit = metersPerUnit
        self.width = width
        self.height = height
        shrink = Self.shrink(latitude)
    }

    static let routeWidth = 1000.0
    private static let routeMargin = 0.04

    /// Creates the frame of a route with a margin around it. Returns nil for fewer than two places, and if all are the
    /// same.
    init?(around places: [WorkoutTimeline.Place]) {
        guard let first = places.first, places.count > 1 else { return nil }
        let easts = places.map { Self.east(of: $0.longitudeInDegrees, from: first.longitudeInDegrees) }
        let latitudes = places.map(\.latitudeInDegrees)
        guard let south = latitudes.min(), let north = latitudes.max(), let west = easts.min(), let east = easts.max()
        else { return nil }
        let latitude = (south + north) / 2
        let length = (north - south) * Self.metersPerDegree
        let size = max((east - west) * Self.shrink(latitude) * Self.metersPerDegree, length)
        guard size > 1, size.isFinite else { return nil }
        let margin = Self.routeWidth * Self.routeMargin
        let metersPerUnit = size / (Self.routeWidth - 2 * margin)
        self.init(
            latitude: latitude, longitude: first.longitudeInDegrees + (west + east) / 2, metersPerUnit: metersPerUnit,
            width: Self.routeWidth, height: max(Self.routeWidth * 0.25, length / metersPerUnit + 2 * margin))
    }

    static func shrink(_ latitudeInDegrees: Double) -> Double { max(0.01, cos(latitudeInDegrees * .pi / 180)) }

    /// Returns the shorter difference of two longitudes, also across the date line: -180 to 180 degrees.
    static func east(of longitude: Double, from other: Double) -> Double {
        let east = (longitude - other).truncatingRemainder(dividingBy: 360)
        return east > 180 ? east - 360 : east < -180 ? east + 360 : east
    }

    func point(latitude: Double, longitude: Double) -> Point {
        point(north: latitude - self.latitude, east: Self.east(of: longitude, from: self.longitude))
    }

    /// - Parameter north: Degrees from the middle, as is `east`.
    func point(north: Double, east: Double) -> Point {
        Point(
            x: width / 2 + east * shrink * Self.metersPerDegree / metersPerUnit,
            y: height / 2 - north * Self.metersPerDegree / metersPerUnit)
    }

    func contains(_ point: Point) -> Bool { (0...width).contains(point.x) && (0...height).contains(point.y) }

    /// The area shown, in degrees. Longitudes may be beyond 180.
    var box: (south: Double, north: Double, west: Double, east: Double) {
        let (up, aside) = (
            height / 2 * metersPerUnit / Self.metersPerDegree, width / 2 * metersPerUnit / Self.metersPerDegree / shrink
        )
        return (latitude - up, latitude + up, longitude - aside, longitude + aside)
    }

    /// Returns the frame of a smaller picture that shows a larger area around the same middle.
    func wider(meters: Double, size: Double) -> MapFrame {
        MapFrame(latitude: latitude, longitude: longitude, metersPerUnit: meters / size, width: size, height: size)
    }
}

extension MapFrame {
    /// Returns the part of a ring inside the picture and a margin. Empty if there is none (Sutherland and Hodgman,
    /// 1974).
    func clipped(ring: [Point]) -> [Point] {
        let edges: [(inside: (Point) -> Bool, crossing: (Point, Point) -> Point)] = [
            ({ $0.x >= -Self.margin }, { Self.crossing($0, $1, x: -Self.margin) }),
            ({ $0.x <= width + Self.margin }, { Self.crossing($0, $1, x: width + Self.margin) }),
            ({ $0.y >= -Self.margin }, { Self.crossing($0, $1, y: -Self.margin) }),
            ({ $0.y <= height + Self.margin }, { Self.crossing($0, $1, y: height + Self.margin) }),
        ]
        var ring = ring
        for (inside, crossing) in edges {
            guard var before = ring.last else { return [] }
            var kept: [Point] = []
            for point in ring {
                if inside(point) != inside(before) { kept.append(crossing(before, point)) }
                if inside(point) { kept.append(point) }
                before = point
            }
            ring = kept
        }
        return ring
    }

    /// Returns the pieces of a line whose segments may touch the picture.
    func clipped(line: [Point]) -> [[Point]] {
        var pieces: [[Point]] = []
        for (a, b) in zip(line, line.dropFirst()) {
            let isNear =
                max(a.x, b.x) >= 0 && min(a.x, b.x) <= width && max(a.y, b.y) >= 0 && min(a.y, b.y) <= height
            guard isNear else { continue }
            if pieces.last?.last == a { pieces[pieces.count - 1].append(b) } else { pieces.append([a, b]) }
        }
        return pieces
    }

    /// The margin: wider than the lines, so that the edge of the picture is not drawn as a coast.
    private static let margin = 20.0

    private static func crossing(_ a: Point, _ b: Point, x: Double) -> Point {
        Point(x: x, y: a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
    }

    private static func crossing(_ a: Point, _ b: Point, y: Double) -> Point {
        Point(x: a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y: y)
    }
}
