import Foundation
import GATT

/// Dates readings that a slow link delivers in a burst.
///
/// If a link recovers after some seconds of silence, it delivers everything that the sensor sent meanwhile at once. The
/// last value is current. Each earlier one is older by the RR intervals of the next one. So the first value after a
/// silence is held for a moment to see whether others follow; no other value waits. Without RR intervals, values keep
/// their time of arrival.
struct BurstDates {
    /// Longer than the usual interval between two values.
    static let silenceInSeconds = 2.0
    /// The longest interval between the values of a burst.
    static let moment = Duration.milliseconds(250)

    private var held: [SensorNotification] = []
    private var lastArrival: Date?
    /// The last returned date: dates don't go back.
    private var latest: Date?

    /// - Returns: The values to deliver now; empty if the value is held until ``flush()``.
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

    /// The held values, each with the date of its measurement.
    mutating func flush() -> [SensorNotification] {
        var values = held
        held = []
        guard var next = values.last?.date else { return [] }
        for place in values.indices.reversed() {
            values[place].date = min(values[place].date, next)
            let beats = values[place].heartRate?.beatsInMilliseconds ?? []
            next = beats.isEmpty ? .distantFuture : values[place].date.addingTimeInterval(-beats.reduce(0, +) / 1000)
        }
        // A value without RR intervals is not later than the next one, and none is earlier than the last returned date.
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
