/// A round course on the open sea, where the equator meets the meridian of Greenwich: a place where nobody lives.
public struct LoopRoute: Sendable, Equatable {
    public let lengthInMeters: Double
    /// Height of the hills, from the lowest point to the highest.
    public let climbInMeters: Double

    public struct Point: Sendable, Equatable {
        /// Rounded to 10⁻⁷ degrees, about a centimetre.
        public var latitudeInDegrees: Double
        public var longitudeInDegrees: Double
        /// Rounded to 0.1 m.
        public var altitudeInMeters: Double
        /// 0 … 360, clockwise from north. Rounded to 0.1.
        public var courseInDegrees: Double
    }

    /// Metres in a degree of the equator, on WGS 84.
    private static let metersPerDegree = 111_319.49
    private static let waves = 2.0

    public init(lengthInMeters: Double, climbInMeters: Double = 0) {
        self.lengthInMeters = lengthInMeters
        self.climbInMeters = climbInMeters
    }

    /// Where one is after a distance, going clockwise from the westernmost point.
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
