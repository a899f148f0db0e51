import Foundation

/// The distance in metres between two nearby points in WGS 84. It uses the lengths of a degree at the middle latitude,
/// as in 47 CFR 73.208(c), which accepts them up to 475 km.
package enum EarthDistance {
    /// A point in degrees.
    package typealias Coordinates = (latitude: Double, longitude: Double)

    package static func meters(from a: Coordinates, to b: Coordinates) -> Double {
        let middle = (a.latitude + b.latitude) / 2 * .pi / 180
        let one = cos(middle)
        let two = 2 * one * one - 1
        let three = one * (2 * two - 1)
        let four = 2 * two * two - 1
        let five = 2 * one * four - three
        let north = (111.13209 - 0.56605 * two + 0.00120 * four) * 1000
        let east = (111.41513 * one - 0.09455 * three + 0.00012 * five) * 1000
        var longitude = b.longitude - a.longitude
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let (x, y) = (longitude * east, (b.latitude - a.latitude) * north)
        return (x * x + y * y).squareRoot()
    }
}

/// Adds up the way along positions, and leaves out a single position that nobody can have reached.
///
/// A receiver sometimes reports a place that is kilometres away, for a moment. A position more than 250 m/s away from the
/// one before waits for the next one. It is left out if the next one is near the position before it, and far from it.
package struct WayAlongPositions {
    /// Faster than an airliner.
    private static let fastestInMetersPerSecond = 250.0

    private typealias Fix = (place: EarthDistance.Coordinates, seconds: Double)
    private var last: Fix?
    /// The position that waits.
    private var doubted: Fix?
    /// Whether the latest positions were that fast.
    private var isFast = false

    package init() {}

    /// Goes on from the next position: the way to it does not count.
    package mutating func interrupt() { self = WayAlongPositions() }

    /// Returns the metres that a position adds. Nil for one that waits: the next one adds its way if it counts.
    ///
    /// - Parameters:
    ///   - seconds: The time of the position. Positions come in order of time.
    ///   - meters: The distance between two places.
    package mutating func add(
        _ place: EarthDistance.Coordinates, at seconds: Double,
        meters: (EarthDistance.Coordinates, EarthDistance.Coordinates) -> Double = EarthDistance.meters
    ) -> Double? {
        guard let last else {
            last = (place, seconds)
            return 0
        }
        func reaches(_ fix: Fix, _ meters: Double) -> Bool {
            meters <= Self.fastestInMetersPerSecond * max(seconds - fix.seconds, 1)
        }
        let direct = meters(last.place, place)
        let isReachable = reaches(last, direct)
        guard isReachable || isFast || doubted != nil else {
            doubted = (place, seconds)
            return nil
        }
        defer {
            self.last = (place, seconds)
            doubted = nil
            isFast = !isReachable
        }
        guard let doubted else { return direct }
        let back = meters(doubted.place, place)
        return isReachable && !reaches(doubted, back) ? direct : meters(last.place, doubted.place) + back
    }
}
