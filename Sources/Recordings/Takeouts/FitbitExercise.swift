import Foundation
import SessionLog

/// The fields of a Fitbit exercise that are read. Any may be missing. Field names and units: Fitbit's Web API, “Get
/// Activity Log List”, and files of takeouts.
struct FitbitExercise: Decodable {
    var logId: Int64?
    var activityName: String?
    /// The start with a two-digit year (`01/29/20 16:55:30`) in UTC, or as ISO 8601 with its time zone.
    var startTime: String?
    /// The duration in ms, with pauses.
    var duration: Double?
    /// The duration in ms, without pauses.
    var activeDuration: Double?
    /// The energy in kcal.
    var calories: Double?
    var averageHeartRate: Double?
    var steps: Double?
    var distance: Double?
    /// The unit of `distance`: `Kilometer` or `Mile`.
    var distanceUnit: String?
    var source: Source?

    struct Source: Decodable {
        var name: String?
    }

    private static let recorder = "recorder"

    /// - Parameter heartRates: Returns those from a start to an end with an average.
    func recording(_ heartRates: (Date, Date, Double) -> [FitbitHeartRates.Reading]) -> Recording {
        var summary = RecordingSummary(format: "fitbit")
        summary.records = 1
        summary.sessions = 1
        guard let start, let duration, duration > 0, duration < 30 * 86_400_000 else {
            summary.warnings.append(
                RecordingWarning(byte: 0, message: "exercise \(logId ?? 0) has no date or no duration"))
            return Recording(entries: [], file: summary)
        }
        let end = start + duration / 1000
        summary.elapsedInSeconds = duration / 1000
        summary.timerInSeconds = activeDuration.map { $0 / 1000 }
        let activity = SportName.description(activityName, hasPositions: false)
        var name = HealthFingerprint()
        name.combine("Fitbit")
        name.combine(start)
        name.combine(UInt64(bitPattern: logId ?? 0))
        var entries = [
            SessionEntry(start, .header(SessionHeader(id: name.uuid, activity: activity))),
            SessionEntry(start, .state(.running)),
            SessionEntry(
                start,
                .sensor(
                    SensorStatus(
                        id: Self.recorder, kind: .replay, presence: .present,
                        device: DeviceDescription(name: source?.name ?? "Fitbit", manufacturer: "Fitbit")))),
        ]
        let readings = averageHeartRate.map { heartRates(start, end, $0) } ?? []
        if logId != nil {
            // With the heart rates of its day, which may have been missing, it is another recording.
            var own = name
            own.combine(UInt64(readings.count))
            summary.ownID = own.uuid
        }
        for reading in readings {
            summary.records += 1
            summary.heartRate.add(reading.beatsPerMinute)
            let quantity = QuantityReading(
                QuantityReading.heartRateType, reading.beatsPerMinute, unit: "count/min", start: reading.date,
                end: reading.date, sensor: Self.recorder)
            entries.append(SessionEntry(reading.date, .quantity(quantity)))
        }
        func add(_ type: String, _ value: Double?, _ unit: String) {
            guard let value, value > 0, value < 1e7 else { return }
            let reading = QuantityReading(type, value, unit: unit, start: start, end: end, sensor: Self.recorder)
            entries.append(SessionEntry(end, .quantity(reading)))
        }
        if let type = activity.distanceType { add(type, distanceInMeters, "m") }
        add("activeEnergyBurned", calories, "kcal")
        add("stepCount", steps, "count")
        entries.append(SessionEntry(end, .state(.stopped)))
        return Recording(entries: entries, file: summary)
    }

    private var distanceInMeters: Double? {
        switch distanceUnit?.lowercased().prefix(4) {
        case "kilo": distance.map { $0 * 1000 }
        case "mile": distance.map { $0 * 1609.344 }
        case "mete": distance
        default: nil
        }
    }

    /// Reads a date as exports write it: `01/29/20 16:55:30`.
    static func date(_ text: String) -> Date? {
        guard let match = text.wholeMatch(of: #/(\d\d)/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)/#) else { return nil }
        var date = DateComponents()
        date.calendar = Calendar(identifier: .gregorian)
        date.timeZone = .gmt
        (date.month, date.day, date.year) = (Int(match.1), Int(match.2), Int(match.3).map { $0 + 2000 })
        (date.hour, date.minute, date.second) = (Int(match.4), Int(match.5), Int(match.6))
        return date.isValidDate ? date.date : nil
    }

    var start: Date? {
        guard let startTime else { return nil }
        if let date = Self.date(startTime) { return date }
        guard let moment = startTime.tableMoment() else { return nil }
        return Date(timeIntervalSinceReferenceDate: moment.seconds)
    }
}
