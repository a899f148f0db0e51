import Foundation
package import SessionLog

/// Selects one of several sensors that measure the same: the first in order that still delivers.
///
/// It selects for each kind, so the cadence may come from one sensor and the heart rate from another. A sensor that
/// goes away, or whose last reading of the kind is older than 5 s, hands over to the next, and takes over again with
/// its first reading.
package struct ReadingPriority: Sendable {
    /// An older reading is out of date.
    package static let staleInSeconds = 5.0

    private var lastReadings: [String: [Int: Date]] = [:]

    package init() {}

    /// Returns the entries of a sensor for the log, including all entries that are not readings.
    /// - Parameter sensor: Its index. 0 has the highest priority.
    package mutating func admit(_ entries: [SessionEntry], from sensor: Int) -> [SessionEntry] {
        var heartRateIsAdmitted: Bool?
        return entries.filter { entry in
            switch entry.content {
            case .quantity(let reading):
                let isAdmitted = admits(reading.type, at: reading.end, from: sensor)
                if reading.isHeartRate { heartRateIsAdmitted = isAdmitted }
                return isAdmitted
            case .beats:
                return heartRateIsAdmitted ?? admits(QuantityReading.heartRateType, at: entry.date, from: sensor)
            case .sensor(let status):
                if status.presence != .present { forget(sensor) }
                return true
            default:
                return true
            }
        }
    }

    /// Notes that a sensor measures a kind, and returns whether no sensor of higher priority does.
    mutating func admits(_ kind: String, at date: Date, from sensor: Int) -> Bool {
        lastReadings[kind, default: [:]][sensor] = date
        return !(lastReadings[kind] ?? [:]).contains { other, last in
            other < sensor && date.timeIntervalSince(last) <= Self.staleInSeconds
        }
    }

    private mutating func forget(_ sensor: Int) {
        for kind in lastReadings.keys { lastReadings[kind]?[sensor] = nil }
    }
}
