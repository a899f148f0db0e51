/// The heart rate around the end of a workout, from which the recovery is computed as readings arrive.
///
/// It keeps the last reading before the end and those of the two minutes after it.
public struct RecoveryReadings: Sendable {
    /// A last reading older than this does not show how the workout ended.
    public static let oldestInSeconds = 10.0
    public static let momentsInSeconds = [60.0, 120.0]
    private static let mostReadings = 1000

    private var last: (seconds: Double, heartRate: Double)?
    private var end: Double?
    private var after: [(seconds: Double, heartRate: Double)] = []

    public init() {}

    /// Adds a heart rate at this many seconds after the start, in order of time.
    public mutating func measured(_ heartRate: Double, at seconds: Double) {
        guard heartRate > 0, heartRate.isFinite, seconds.isFinite else { return }
        guard let end, seconds > end else {
            last = (seconds, heartRate)
            return
        }
        let since = seconds - end
        guard since <= (Self.momentsInSeconds.last ?? 0) + HeartRateRecovery.toleranceInSeconds,
            after.count < Self.mostReadings, since >= after.last?.seconds ?? 0
        else { return }
        after.append((since, heartRate))
    }

    /// Marks the end of the effort at this many seconds after the start.
    public mutating func ended(at seconds: Double) {
        end = seconds
        after = []
    }

    /// Cancels the end, which was only a pause.
    public mutating func resumed() {
        end = nil
        after = []
    }

    /// The heart rate at the end in beats per minute. Nil if there is no reading within ``oldestInSeconds`` before the
    /// end.
    public var heartRateAtEnd: Double? {
        guard let last, let end, end - last.seconds <= Self.oldestInSeconds else { return nil }
        return last.heartRate
    }

    /// The end of the effort in seconds after the start. Nil before it.
    public var endInSeconds: Double? { end }

    /// The highest heart rate from the end on, in beats per minute. Nil if ``heartRateAtEnd`` is nil.
    public var highestHeartRate: Double? {
        heartRateAtEnd.map { max($0, after.map(\.heartRate).max() ?? $0) }
    }

    /// Returns how far the heart rate fell in this many seconds after the end, in beats per minute; see
    /// ``HeartRateRecovery``.
    public func drop(after seconds: Double) -> Figure<Double> {
        guard let heartRateAtEnd else { return .failure(.notMeasured(.heartRate)) }
        let drop = HeartRateRecovery.drop(heartRateAtEnd: heartRateAtEnd, after: seconds, readings: after)
        return drop.map(Figure.success) ?? .failure(.nothingAfterEnd(seconds: seconds))
    }
}
