/// The heart rate around the end of a workout, as it comes in: what recovery is read from.
///
/// It keeps the last reading before the end and those of the two minutes after it.
public struct RecoveryReadings: Sendable {
    /// A last reading that is older does not tell how the workout ended.
    public static let oldestInSeconds = 10.0
    public static let momentsInSeconds = [60.0, 120.0]
    private static let mostReadings = 1000

    private var last: (seconds: Double, heartRate: Double)?
    private var end: Double?
    private var after: [(seconds: Double, heartRate: Double)] = []

    public init() {}

    /// A heart rate was measured, so many seconds after the start, in order of time.
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

    /// The effort ended, so many seconds after the start.
    public mutating func ended(at seconds: Double) {
        end = seconds
        after = []
    }

    /// It did not: it was a pause.
    public mutating func resumed() {
        end = nil
        after = []
    }

    /// In beats a minute; nil where the heart was not measured within ``oldestInSeconds`` of the end.
    public var heartRateAtEnd: Double? {
        guard let last, let end, end - last.seconds <= Self.oldestInSeconds else { return nil }
        return last.heartRate
    }

    /// When the effort ended, so many seconds after the start; nil before.
    public var endInSeconds: Double? { end }

    /// In beats a minute, from the end on; nil where the heart was not measured then.
    public var highestHeartRate: Double? {
        heartRateAtEnd.map { max($0, after.map(\.heartRate).max() ?? $0) }
    }

    /// How far the heart rate fell in the seconds after the end, in beats a minute; see ``HeartRateRecovery``.
    public func drop(after seconds: Double) -> Figure<Double> {
        guard let heartRateAtEnd else { return .failure(.notMeasured(.heartRate)) }
        let drop = HeartRateRecovery.drop(heartRateAtEnd: heartRateAtEnd, after: seconds, readings: after)
        return drop.map(Figure.success) ?? .failure(.nothingAfterEnd(seconds: seconds))
    }
}
