/// A circular course on the open sea, where the equator meets the meridian of Greenwich: a place where nobody lives.
public struct LoopRoute: Sendable, Equatable {
    public let lengthInMeters: Double
    /// The height of the hills, from the lowest point to the highest.
    public let climbInMeters: Double

    public struct Point: Sendable, Equatable {
        /// The position, rounded to 10⁻⁷ degrees, about a centimetre.
        public var latitudeInDegrees: Double
        public var longitudeInDegrees: Double
        /// The altitude, rounded to 0.1 m.
        public var altitudeInMeters: Double
        /// The course, 0 … 360, clockwise from north, rounded to 0.1.
        public var courseInDegrees: Double
    }

    /// Metres per degree of the equator in WGS 84.
    private static let metersPerDegree = 111_319.49
    private static let waves = 2.0

    public init(lengthInMeters: Double, climbInMeters: Double = 0) {
        self.lengthInMeters = lengthInMeters
        self.climbInMeters = climbInMeters
    }

    /// Returns the point after a distance, clockwise from the westernmost point.
    public func point(atDistanceInMeters distance: Double) -> Point {
        let turn = distance / lengthInMeters
        let lap = turn - turn.rounded(.down)
        let radius = lengthInMeters / (2 * Double.pi) / Self.metersPerDegree
        let height = climbInMeters / 2 * (1 - Sinusoid.cosine(turns: Self.waves * lap))
        return Point(
            latitudeInDegrees: (radius * Sinusoid.sine(turns: lap) * 1e7).rounded() / 1e7,
            longitudeInDegrees: (-radius * Sinusoid.cosine(turns: lap) * 1e7).rounded() / 1e7,
            altitudeInMeters: (height * 10).rounded() / 10,
            courseInDegrees: (lap * 3600).rounded() / 10)
    }
}
