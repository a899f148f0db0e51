import Foundation
import SessionLog

/// An exercise of Health Connect, with what apps measured meanwhile. Times are in seconds since 2001.
struct HealthConnectExercise {
    static let table = "exercise_session_record_table"
    /// The columns that every export has.
    static let columns: Set = ["row_id", "start_time", "end_time", "exercise_type", "app_info_id"]
    /// The column of the effort, in newer exports.
    static let effort = "session_rate_of_perceived_exertion"
    /// The type of segments in which the exercise was paused.
    static let pause: Int64 = 67

    /// The number of its row.
    let row: Int64
    let start: Double
    let end: Double
    let type: Int64
    /// The number of the app that wrote it.
    let app: Int64
    let appName: String?
    let id: [UInt8]
    /// The seconds east of UTC. NaN if they are unknown.
    let offset: Double
    /// From 1 (easy) to 10 (all out). Another value is unknown.
    let effort: Double
    let title: String?
    let notes: String?
    /// By the numbers of the apps that wrote them.
    var readings: [Series: [Int64: [TimedReading]]] = [:]
    var sums: [Sum: [Int64: [Total]]] = [:]
    var route: [Place] = []
    var laps: [Lap] = []
    var pauses: [TimeSpan] = []

    struct Total {
        var start: Double
        var end: Double
        var value: Double
        var seconds: Double { end - start }
    }

    struct Place {
        var time: Double
        var latitude: Double
        var longitude: Double
        var altitude: Double
        var horizontalAccuracy: Double
        var verticalAccuracy: Double
    }

    struct Lap {
        var span: ClosedRange<Double>
        var meters: Double
    }

    enum Series: CaseIterable {
        case heartRate, speed, power, crank, steps

        /// The table of the apps' records, that of their readings, and its column.
        var tables: (parent: String, child: String, value: String) {
            switch self {
            case .heartRate: ("heart_rate_record_table", "heart_rate_record_series_table", "beats_per_minute")
            case .speed: ("SpeedRecordTable", "speed_record_table", "speed")
            case .power: ("PowerRecordTable", "power_record_table", "power")
            case .crank:
                (
                    "CyclingPedalingCadenceRecordTable", "cycling_pedaling_cadence_record_table",
                    "revolutions_per_minute"
                )
            case .steps: ("StepsCadenceRecordTable", "steps_cadence_record_table", "rate")
            }
        }
    }

    enum Sum: CaseIterable {
        case distance, activeEnergy, energy, steps

        var table: (name: String, value: String) {
            switch self {
            case .distance: ("distance_record_table", "distance")
            case .activeEnergy: ("active_calories_burned_record_table", "energy")
            case .energy: ("total_calories_burned_record_table", "energy")
            case .steps: ("steps_record_table", "count")
            }
        }
    }

    var isPlausible: Bool { TakeoutFiles.canLast(from: start, to: end) }

    /// - Parameter number: Its number in the export.
    func recording(
        _ number: Int, _ format: any RecordingFormat, activity: String?, _ latest: LatestValues<Int, [TrackStep]>
    ) -> Recording {
        let steps = steps(device: format.title)
        var recording = StoredTrackSteps.recording(
            steps, again: { latest.value(of: number) { self.steps(device: format.title) } }, leftOut: [],
            format: format, activity: activity)
        if !id.isEmpty {
            recording.identify(in: "Health Connect", readings: steps.count) { print in
                for byte in id { print.combine(UInt64(byte)) }
            }
        }
        return recording.inTimeZone(secondsFromGMT: offset)
    }

    /// - Parameter device: The name of an app without one.
    private func steps(device: String) -> [TrackStep] {
        var session = TrackSession(start: start, seconds: end - start)
        session.activeSeconds = pauses.reduce(end - start) { $0 - $1.seconds }
        session.distanceInMeters = sum(.distance)
        let active = sum(.activeEnergy)
        session.kilocalories = (active.isNaN ? sum(.energy) : active) / 1000
        session.steps = sum(.steps)
        var labels = WorkoutLabels()
        (labels.title, labels.notes) = (title, notes)
        if (1...10).contains(effort) { labels.effort = effort }
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        if let description = description(isOutdoors: !route.isEmpty) { steps.append(.activity(description)) }
        steps += [.session(session), .device(TrackDevice(name: appName ?? device)), .labels(labels)]
        for lap in laps {
            let said = TrackLap(
                elapsedSeconds: lap.span.upperBound - lap.span.lowerBound,
                distanceInMeters: lap.meters > 1e-300 ? lap.meters : .nan)
            steps += [.lapBegan(start: lap.span.lowerBound), .lapEnded(said)]
        }
        return steps + interrupted(points)
    }

    /// Returns the points outside the pauses, and the pauses.
    private func interrupted(_ points: [TrackPoint]) -> [TrackStep] {
        var steps: [TrackStep] = []
        var left = pauses[...]
        for point in points {
            while let pause = left.first, pause.end <= point.time {
                steps.append(.pause(pause))
                left.removeFirst()
            }
            if left.first.map({ point.time <= $0.start }) ?? true { steps.append(.point(point)) }
        }
        return steps + left.map { .pause($0) }
    }

    // MARK: Readings

    /// Returns the heart rates of the exercise's own app, or else of the app that measured most.
    private var heartRates: [TimedReading] {
        let byApp = readings[.heartRate] ?? [:]
        return byApp[app] ?? byApp.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
    }

    /// Returns what its own app counted, in order of time. A phone in a pocket also counts steps and distances during other
    /// exercises. Of overlapping values, as of minutes and of the whole, the shorter ones remain.
    private func totals(_ sum: Sum) -> [Total] {
        var apart: [Total] = []
        let ordered = (sums[sum]?[app] ?? []).sorted { ($0.start, $1.end) < ($1.start, $0.end) }
        for total in ordered {
            while let last = apart.last, last.end > total.start, last.seconds > total.seconds { apart.removeLast() }
            if apart.last.map({ $0.end <= total.start }) ?? true { apart.append(total) }
        }
        return apart
    }

    /// Returns what its own app counted, or NaN if nothing.
    private func sum(_ sum: Sum) -> Double {
        guard let largest = sums[sum]?[app]?.map(\.value).max() else { return .nan }
        return max(largest, totals(sum).reduce(0) { $0 + $1.value })
    }

    private var points: [TrackPoint] {
        var points = MergedTrackPoints()
        for place in route {
            points.update(at: place.time) { point in
                (point.latitude, point.longitude, point.altitude) = (place.latitude, place.longitude, place.altitude)
                point.horizontalAccuracy = place.horizontalAccuracy
                point.verticalAccuracy = place.verticalAccuracy
            }
        }
        for rate in heartRates { points.update(at: rate.time) { $0.heartRate = rate.value } }
        func add(_ series: Series, _ set: (inout TrackPoint, Double) -> Void) {
            for reading in readings[series]?[app] ?? [] { points.update(at: reading.time) { set(&$0, reading.value) } }
        }
        add(.speed) { $0.speed = $1 }
        add(.power) { $0.power = $1 }
        // Two steps are a stride.
        add(.steps) { $0.cadence = $1 / 2 }
        add(.crank) { $0.cadence = $1 }
        let distances = totals(.distance)
        // A single one is the distance of the whole exercise.
        if distances.count > 1 {
            var meters = 0.0
            points.update(at: distances[0].start) { $0.distance = 0 }
            for distance in distances {
                meters += distance.value
                points.update(at: distance.end) { $0.distance = meters }
            }
        }
        return points.ordered
    }

    // MARK: Activities

    /// Returns the activity of the type, or nil for one that states none.
    private func description(isOutdoors: Bool) -> ActivityDescription? {
        guard let name = Int(exactly: type).flatMap({ Self.activities[$0] }) else { return nil }
        var description = ActivityDescription(activity: name)
        if type == 49 { description.swimmingLocation = .pool }
        if type == 48 { description.swimmingLocation = .openWater }
        if isOutdoors {
            description.location = .outdoor
        } else if [5, 34, 59, 60, 61].contains(type) {
            description.location = .indoor
        }
        return description
    }

    /// Android's numbers of types, which are not those of the library Jetpack (`ExerciseSessionType`).
    private static let activities = [
        1: "badminton", 2: "baseball", 3: "basketball", 4: "cycling", 5: "cycling", 6: "crossTraining", 7: "boxing",
        8: "functionalStrengthTraining", 9: "cricket", 10: "cardioDance", 11: "mixedCardio", 12: "fencing",
        13: "americanFootball", 14: "australianFootball", 15: "discSports", 16: "golf", 17: "mindAndBody",
        18: "gymnastics", 19: "handball", 20: "highIntensityIntervalTraining", 21: "hiking", 22: "hockey",
        23: "skatingSports", 24: "martialArts", 25: "paddleSports", 27: "pilates", 28: "racquetball",
        29: "climbing", 30: "hockey", 31: "rowing", 32: "rugby", 33: "running", 34: "running", 35: "sailing",
        36: "underwaterDiving", 37: "skatingSports", 38: "downhillSkiing", 39: "snowboarding", 40: "snowSports",
        41: "soccer", 42: "softball", 43: "squash", 44: "stairs", 45: "traditionalStrengthTraining",
        46: "flexibility", 47: "surfingSports", 48: "swimming", 49: "swimming", 50: "tableTennis", 51: "tennis",
        52: "volleyball", 53: "walking", 54: "waterPolo", 55: "traditionalStrengthTraining",
        56: "wheelchairWalkPace", 57: "yoga", 59: "stairClimbing", 60: "elliptical", 61: "rowing",
    ]
}
