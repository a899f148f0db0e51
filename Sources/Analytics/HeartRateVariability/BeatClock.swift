/// Dates beats from intervals that arrive a few at a time.
///
/// Intervals follow each other without a gap. Beats are missing if the sum of intervals drifts from their arrival by
/// more than ``toleranceInSeconds``, or if the caller reports a break.
public struct BeatClock: Sendable, Equatable {
    public static let toleranceInSeconds = 3.0
    /// A tolerance for rounding when seconds are added as `Double`. Sensors count in ms or in 1/1024 s.
    private static let roundingInSeconds = 1e-6
    private var latest: Double?

    public init() {}

    /// - Parameters:
    ///   - seconds: The arrival of the intervals on the caller's timeline.
    ///   - sumInMilliseconds: The sum of the intervals.
    /// - Returns: The start of the first interval, and whether it follows the last one before.
    public mutating func add(
        sumInMilliseconds: Double, at seconds: Double
    ) -> (startInSeconds: Double, isContinued: Bool) {
        let reported = seconds - sumInMilliseconds / 1000
        let continued = latest.flatMap {
            abs($0 - reported) <= Self.toleranceInSeconds + Self.roundingInSeconds ? $0 : nil
        }
        let start = continued ?? reported
        latest = start + sumInMilliseconds / 1000
        return (start, continued != nil)
    }

    /// Marks a break: the next interval does not follow the last one.
    public mutating func interrupt() { latest = nil }
}
