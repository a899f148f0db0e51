import Foundation

/// When readings were measured that a slow link brings all at once.
///
/// A link that hears nothing for some seconds and holds delivers everything that the sensor has sent meanwhile in one go.
/// The last of them is as fresh as any; each one before is older by the beats of the one after it. So the first value
/// after a silence is held for a moment, to see whether others follow; nothing else ever waits. Without RR intervals there
/// is nothing to tell the time by, and the time of arrival stays.
struct BurstDates {
    /// Longer than sensors leave between two values.
    static let silenceInSeconds = 2.0
    /// As long as the values of a burst are apart at most.
    static let moment = Duration.milliseconds(250)

    private var held: [SensorNotification] = []
    private var lastArrival: Date?
    /// What was given out last: dates do not go back.
    private var latest: Date?

    /// - Returns: What to give out now; empty while it is held, until ``flush()``.
    mutating func add(_ value: SensorNotification) -> [SensorNotification] {
        defer { lastArrival = value.date }
        let isLate = lastArrival.map { value.date.timeIntervalSince($0) > Self.silenceInSeconds } ?? false
        if !held.isEmpty || isLate {
            held.append(value)
            return []
        }
        latest = value.date
        return [value]
    }

    var isHolding: Bool { !held.isEmpty }

    /// What was held, each with the date at which it was measured.
    mutating func flush() -> [SensorNotification] {
        var values = held
        held = []
        guard var next = values.last?.date else { return [] }
        for place in values.indices.reversed() {
            values[place].date = min(values[place].date, next)
            let beats = values[place].heartRate?.beatsInMilliseconds ?? []
            next = beats.isEmpty ? .distantFuture : values[place].date.addingTimeInterval(-beats.reduce(0, +) / 1000)
        }
        // What beats do not tell is not later than what comes after it, and nothing is before what was given out.
        for place in values.indices.reversed().dropFirst() {
            values[place].date = min(values[place].date, values[place + 1].date)
        }
        for place in values.indices {
            values[place].date = max(values[place].date, latest ?? values[place].date)
            latest = values[place].date
        }
        return values
    }
}
