import Foundation
import SessionLog

/// An exercise of Samsung Health. Names, units and numbers of types: Samsung Health Data SDK, “Exercise”, and files of
/// exports. Times are in UTC.
struct SamsungExercise {
    private static let megabytes = 128

    private let fields: [String: String]
    /// The start and the end in seconds since 2001.
    let start: Double
    private let end: Double

    /// Returns nil for a row without a start or a duration.
    init?(_ fields: [String: String]) {
        guard let start = fields["start_time"].flatMap(Self.time) else { return nil }
        let duration = fields["duration"].flatMap(Double.init) ?? 0
        let end = fields["end_time"].flatMap(Self.time) ?? start
        guard duration <= TakeoutFiles.longestExerciseInMilliseconds, max(start + duration / 1000, end) > start,
            TrackPoint(time: start).hasTime, end - start <= TakeoutFiles.longestExerciseInMilliseconds / 1000
        else { return nil }
        self.fields = fields
        self.start = start
        self.end = max(end, start + max(0, duration) / 1000)
    }

    private func number(_ name: String) -> Double { fields[name].flatMap(Double.init) ?? .nan }

    /// Reads `2024-01-15 08:00:00.000`, or milliseconds since 1970.
    private static func time(_ text: String) -> Double? {
        if let milliseconds = Double(text), milliseconds > 1e11 {
            return TrackPoint.time(unixMilliseconds: milliseconds)
        }
        return text.tableMoment()?.seconds
    }

    /// Returns the exercise with its series from files beside the list.
    /// - Parameter number: Its number in the list.
    func recording(
        _ number: Int, _ format: SamsungFormat, _ files: TakeoutFiles?, activity: String?,
        _ latest: LatestValues<Int, [TrackStep]>
    ) -> Recording {
        let (steps, leftOut, warnings) = read(files)
        var recording = StoredTrackSteps.recording(
            steps, again: { latest.value(of: number) { self.read(files).steps } }, leftOut: leftOut.sorted(),
            format: format, activity: activity)
        recording.file.warnings = warnings + recording.file.warnings
        if let id = fields["datauuid"] {
            recording.identify(in: "Samsung", readings: steps.count) { $0.combine(id) }
        }
        return recording.inTimeZone(secondsFromGMT: fields["time_offset"]?.secondsFromGMT)
    }

    private func read(
        _ files: TakeoutFiles?
    ) -> (steps: [TrackStep], leftOut: Set<String>, warnings: [RecordingWarning]) {
        var warnings: [RecordingWarning] = []
        var leftOut: Set<String> = []
        let live = series("live_data", TakeoutFiles.liveData, files, &warnings)
        let places = series("location_data", TakeoutFiles.locationData, files, &warnings)
        let points = points(live, places, &leftOut)
        // Some versions wrote local times.
        let local = -(fields["time_offset"]?.secondsFromGMT ?? 0)
        let shift = overlaps(points, shiftedBy: 0) || !overlaps(points, shiftedBy: local) ? 0 : local
        var session = TrackSession(
            start: start + shift, seconds: end - start, distanceInMeters: number("distance"),
            kilocalories: number("calorie"))
        session.activeSeconds = number("duration") / 1000
        // Other counts are of strokes, swings or repetitions.
        if fields["count_type"] == "30001" { session.steps = number("count") }
        let sport = Self.activity(fields["exercise_type"], isOutdoors: points.contains(where: \.hasPosition))
        var labels = WorkoutLabels()
        (labels.title, labels.notes) = (fields["title"], fields["comment"])
        let steps: [TrackStep] = [
            .workout(byte: 0, goesOn: false), .part, .activity(sport), .session(session),
            .device(TrackDevice(name: "Samsung Health")), .labels(labels),
        ]
        return (steps + points.map { .point($0) }, leftOut, warnings)
    }

    private func overlaps(_ points: [TrackPoint], shiftedBy shift: Double) -> Bool {
        points.contains { start + shift <= $0.time && $0.time <= end + shift }
    }

    // MARK: Series

    /// Returns a series that the row names. Rows of some versions name none; then the ID of the exercise does.
    private func series(
        _ column: String, _ ending: String, _ files: TakeoutFiles?, _ warnings: inout [RecordingWarning]
    ) -> [Row] {
        let named = fields[column]?.split(separator: "/").last.map(String.init)
        let ofID = fields["datauuid"].map { "\($0).com.samsung.health.\(ending)" }
        guard let source = [named, ofID].lazy.compactMap({ $0 }).compactMap({ files?.series[$0] }).first else {
            if let named {
                warnings.append(RecordingWarning(byte: 0, message: "the export lacks \(named)"))
            }
            return []
        }
        do {
            let bytes = try source.all(atMost: Self.megabytes, which: "no series")
            return try JSONDecoder().decode([Row].self, from: Data(bytes))
        } catch {
            warnings.append(RecordingWarning(byte: 0, message: "\(named ?? ending) cannot be read: it is damaged"))
            return []
        }
    }

    /// A row of a series, in ms since 1970, beats and steps per minute, m/s, W, m and degrees.
    private struct Row: Decodable {
        var startTime: Double?
        var heartRate: Double?
        var speed: Double?
        var cadence: Double?
        var power: Double?
        /// Since the row before.
        var distance: Double?
        var percentOfVO2Max: Double?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var accuracy: Double?

        enum CodingKeys: String, CodingKey {
            case startTime = "start_time", heartRate = "heart_rate", percentOfVO2Max = "percent_of_vo2max"
            case speed, cadence, power, distance, latitude, longitude, altitude, accuracy
        }
    }

    /// Returns the values of both series by time.
    private func points(_ live: [Row], _ places: [Row], _ leftOut: inout Set<String>) -> [TrackPoint] {
        var points = MergedTrackPoints()
        func add(_ row: Row, _ set: (inout TrackPoint) -> Void) {
            guard let milliseconds = row.startTime else { return }
            points.update(at: TrackPoint.time(unixMilliseconds: milliseconds), set)
        }
        // Turns of the crank, but two steps of a runner, are one stride.
        let strides = ["11007", "13004", "15003"].contains(fields["exercise_type"]) ? 1.0 : 0.5
        for row in live {
            add(row) { point in
                if let rate = row.heartRate, rate > 0 { point.heartRate = rate }
                if let speed = row.speed, speed >= 0 { point.speed = speed }
                if let cadence = row.cadence, cadence >= 0 { point.cadence = cadence * strides }
                if let power = row.power, power >= 0 { point.power = power }
                if let meters = row.distance, meters >= 0 {
                    point.distance = meters + (point.distance.isNaN ? 0 : point.distance)
                }
            }
            if row.percentOfVO2Max != nil { leftOut.insert("the percentage of VO2 max") }
        }
        for row in places {
            add(row) { point in
                point.latitude = row.latitude ?? .nan
                point.longitude = row.longitude ?? .nan
                point.altitude = row.altitude ?? .nan
                point.horizontalAccuracy = row.accuracy ?? .nan
            }
        }
        var ordered = points.ordered
        var meters = 0.0
        for index in ordered.indices where ordered[index].hasDistance {
            meters += ordered[index].distance
            ordered[index].distance = meters
        }
        return ordered
    }

    // MARK: Activities

    private static func activity(_ type: String?, isOutdoors: Bool) -> ActivityDescription {
        let number = type.flatMap { Double($0) }.flatMap { Int(exactly: $0) } ?? 0
        var description = ActivityDescription(activity: activities[number] ?? exercise(number) ?? "other")
        if isOutdoors {
            description.location = .outdoor
        } else if [14_010, 15_001, 15_002, 15_003, 15_004, 15_005, 15_006].contains(number) {
            description.location = .indoor
        }
        return description
    }

    /// Exercises of strength, such as push-ups, have numbers of their own.
    private static func exercise(_ number: Int) -> String? {
        switch number {
        case 10_006, 10_023...10_025: "coreTraining"
        case 10_004...10_010, 10_012, 10_013: "functionalStrengthTraining"
        case 10_011...10_027: "traditionalStrengthTraining"
        default: nil
        }
    }

    private static let activities = [
        1001: "walking", 1002: "running", 2001: "baseball", 2002: "softball", 2003: "cricket", 3001: "golf",
        3003: "bowling", 4001: "hockey", 4002: "rugby", 4003: "basketball", 4004: "soccer", 4005: "handball",
        4006: "americanFootball", 5001: "volleyball", 5002: "volleyball", 6001: "squash", 6002: "tennis",
        6003: "badminton", 6004: "tableTennis", 6005: "racquetball", 7001: "taiChi", 7002: "boxing",
        7003: "martialArts", 8001: "cardioDance", 8002: "cardioDance", 8003: "socialDance", 9001: "pilates",
        9002: "yoga", 10_001: "flexibility", 10_002: "jumpRope", 10_007: "crossTraining", 11_001: "skatingSports",
        11_004: "archery", 11_005: "equestrianSports", 11_007: "cycling", 11_008: "discSports",
        11_009: "skatingSports", 12_001: "mixedCardio", 13_001: "hiking", 13_002: "climbing", 13_003: "hiking",
        13_004: "cycling", 13_005: "hiking", 14_001: "swimming", 14_002: "waterFitness", 14_003: "paddleSports",
        14_004: "sailing", 14_005: "underwaterDiving", 14_006: "waterSports", 14_007: "paddleSports",
        14_008: "surfingSports", 14_009: "paddleSports", 14_010: "rowing", 14_011: "surfingSports",
        14_012: "sailing", 14_013: "waterSports", 15_001: "stairClimbing", 15_002: "traditionalStrengthTraining",
        15_003: "cycling", 15_004: "rowing", 15_005: "running", 15_006: "elliptical", 16_001: "crossCountrySkiing",
        16_002: "downhillSkiing", 16_003: "skatingSports", 16_004: "skatingSports", 16_006: "hockey",
        16_007: "snowboarding", 16_008: "downhillSkiing", 16_009: "snowSports",
    ]
}
