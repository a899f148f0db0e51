import Foundation
import SessionLog

/// The fields of a Fitbit exercise that are read. Any may be missing. Field names and units: Fitbit's Web API, “Get
/// Activity Log List”, and files of takeouts. The table has other names, and distances in millimetres.
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
    var hasGps: Bool?
    /// The offset of the clock from UTC, such as `+05:30`, in the table.
    var utcOffset: String?

    struct Source: Decodable {
        var name: String?
    }

    /// Returns the exercise with its heart rates and positions from files beside the list.
    ///
    /// - Parameters:
    ///   - number: Its number in the list.
    ///   - zone: The time zone of their clock, if it did not show UTC.
    func recording(
        _ number: Int, _ format: FitbitFormat, _ files: TakeoutFiles?, zone: TimeZone,
        _ latest: LatestValues<Int, [TrackStep]>
    ) -> Recording {
        guard let start, let duration, duration > 0, duration < TakeoutFiles.longestExerciseInMilliseconds
        else {
            return Recording(format: format.name, warning: "exercise \(logId ?? 0) has no date or no duration")
        }
        let steps = steps(from: start, seconds: duration / 1000, files, zone: zone)
        var recording = StoredTrackSteps.recording(
            steps,
            again: {
                latest.value(of: number) { self.steps(from: start, seconds: duration / 1000, files, zone: zone) }
            },
            leftOut: [], format: format, activity: nil)
        recording.file.elapsedInSeconds = duration / 1000
        recording.file.timerInSeconds = activeDuration.map { $0 / 1000 }
        if let logId {
            recording.identify(in: "Fitbit", readings: steps.count) { print in
                print.combine(start)
                print.combine(UInt64(bitPattern: logId))
            }
        }
        return recording.inTimeZone(secondsFromGMT: utcOffset?.secondsFromGMT)
    }

    private func steps(
        from start: Date, seconds: TimeInterval, _ files: TakeoutFiles?, zone: TimeZone
    ) -> [TrackStep] {
        var session = TrackSession(start: start.timeIntervalSinceReferenceDate, seconds: seconds)
        if let activeDuration { session.activeSeconds = activeDuration / 1000 }
        func plausible(_ value: Double?) -> Double { value.map { $0 < 1e7 ? $0 : .nan } ?? .nan }
        session.distanceInMeters = plausible(distanceInMeters)
        session.kilocalories = plausible(calories)
        session.steps = plausible(steps)
        let points = points(from: start, to: start + seconds, files, zone: zone)
        let sport = SportName.description(activityName, hasPositions: points.contains(where: \.hasPosition))
        let device = TrackDevice(name: source?.name ?? "Fitbit")
        return [.workout(byte: 0, goesOn: false), .part, .activity(sport), .session(session), .device(device)]
            + points.map { .point($0) }
    }

    private func points(from start: Date, to end: Date, _ files: TakeoutFiles?, zone: TimeZone) -> [TrackPoint] {
        var points = MergedTrackPoints()
        let rates = files?.heartRates?.readings(from: start, to: end, averaging: averageHeartRate, zone: zone) ?? []
        for rate in rates {
            points.update(at: rate.date.timeIntervalSinceReferenceDate) { $0.heartRate = rate.beatsPerMinute }
        }
        // The phone's positions during an exercise at home do not belong to it.
        for place in hasGps ?? (distance != nil) ? files?.positions?.rows(from: start, to: end) ?? [] : [] {
            points.update(at: place.time) { point in
                (point.latitude, point.longitude, point.altitude) = (place.values[0], place.values[1], place.values[2])
            }
        }
        return points.ordered
    }

    private var distanceInMeters: Double? {
        switch distanceUnit?.lowercased().prefix(4) {
        case "kilo": distance.map { $0 * 1000 }
        case "mile": distance.map { $0 * 1609.344 }
        case "mete": distance
        default: nil
        }
    }

    var start: Date? {
        guard let startTime else { return nil }
        if let date = FitbitHeartRates.date(startTime) { return date }
        guard let moment = startTime.tableMoment() else { return nil }
        return Date(timeIntervalSinceReferenceDate: moment.seconds)
    }
}

extension FitbitExercise {
    /// Creates the exercise of a row of the table.
    init(_ row: [String: String]) {
        func number(_ name: String) -> Double? { row[name].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } }
        /// What the tracker counted, or else what the person stated.
        func total(_ name: String) -> Double? {
            number("tracker_total_\(name)") ?? number("manually_logged_total_\(name)")
        }
        logId = row["exercise_id"].flatMap { Int64($0) }
        activityName = row["activity_name"]
        startTime = row["exercise_start"]
        if let start = startTime?.tableMoment(), let end = row["exercise_end"]?.tableMoment() {
            duration = (end.seconds - start.seconds) * 1000
        }
        calories = total("calories")
        steps = total("steps")
        distance = total("distance_mm").map { $0 / 1_000_000 }
        distanceUnit = "Kilometer"
        averageHeartRate = number("tracker_avg_heart_rate")
        utcOffset = row["utc_offset"]
    }
}
