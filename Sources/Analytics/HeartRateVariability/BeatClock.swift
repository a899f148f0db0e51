/// When beats were, of intervals that arrive a few at a time.
///
/// Intervals follow each other. Where their sum drifts from the times at which they arrived by more than
/// ``toleranceInSeconds``, or somebody said that the sensor was away, beats are missing.
public struct BeatClock: Sendable, Equatable {
    public static let toleranceInSeconds = 3.0
    /// What a `Double` loses in adding seconds up decides nothing: sensors count in ms or in 1/1024 s.
    private static let roundingInSeconds = 1e-6
    private var latest: Double?

    public init() {}

    /// - Parameters:
    ///   - seconds: When they arrived, on the caller's time line.
    ///   - sumInMilliseconds: How long they are together.
    /// - Returns: Where the first of them begins, and whether it follows the last one of before.
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

    /// The next interval does not follow the last one.
    public mutating func interrupt() { latest = nil }
}
