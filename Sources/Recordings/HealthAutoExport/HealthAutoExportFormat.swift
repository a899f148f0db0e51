import Foundation
import SessionLog

/// Workouts from the iPhone app Health Auto Export: JSON with a list of `workouts` in `data`, in both of its versions.
///
/// The app groups heart rates by seconds or minutes; the average of each group is read. Without its option for workout
/// metadata the file has no heart rates. Source: the app's documentation, “Workouts – JSON Export Format”.
public struct HealthAutoExportFormat: RecordingFormat {
    private let activity: String?

    /// - Parameter activity: The activity to use if the file states none: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// `health-auto-export`.
    public var name: String { "health-auto-export" }
    /// The name in sentences.
    public var title: String { "Health Auto Export" }
    /// `json`: the content distinguishes it from other files with this extension.
    public var endings: [String] { ["json"] }

    /// A year of workouts with routes has some 200 MB.
    private static let megabytes = 512
    private static let lists = [
        "workouts", "metrics", "symptoms", "medications", "stateOfMind", "cycleTracking", "ecg",
        "heartRateNotifications",
    ]

    /// Returns whether the file begins as an object `data` with one of the app's lists.
    public func recognizes(_ start: FileStart) -> Bool {
        let text = start.withoutSpace
        return Self.lists.contains { text.hasPrefix("{\"data\":{\"\($0)\":[") }
    }

    /// Reads a recording of each workout, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let root = try JSONFile.object(source, atMost: Self.megabytes, title: title)
        let workouts = (root["data"] as? [String: Any])?["workouts"] as? [[String: Any]] ?? []
        let dated = workouts.compactMap { workout in Self.time(workout["start"]).map { (start: $0, workout: workout) } }
        guard !dated.isEmpty else {
            throw .invalid(
                path: source.path, byte: 0,
                reason: "it holds no workouts with a date; export workouts, with their metadata, from the app")
        }
        return Recording.numbered(
            dated.sorted { $0.start < $1.start }.map { start, workout in
                var leftOut: Set<String> = []
                let steps = Self.steps(workout, start, &leftOut)
                return StoredTrackSteps.recording(
                    steps, leftOut: leftOut.sorted(), format: self, activity: activity
                ).inTimeZone(secondsFromGMT: (workout["start"] as? String)?.secondsFromGMT)
            })
    }

    private static func steps(
        _ workout: [String: Any], _ start: Double, _ leftOut: inout Set<String>
    ) -> [TrackStep] {
        let duration = JSONFile.number(workout["duration"])
        let end = time(workout["end"]) ?? start + max(0, duration ?? 0)
        let elapsed = max(0, end - start)
        var session = TrackSession(
            start: start, seconds: elapsed, distanceInMeters: amount(workout["distance"], meters),
            kilocalories: amount(workout["activeEnergyBurned"] ?? workout["activeEnergy"], kilocalories))
        // Without pauses. Minutes, which other programs write, are no such duration.
        if let duration, duration > elapsed / 10 { session.activeSeconds = duration }
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        if let name = workout["name"] as? String { steps.append(.sport(name)) }
        steps += [.session(session), .device(TrackDevice(name: "Health Auto Export"))]
        var points = MergedTrackPoints()
        func add(_ date: Any?, _ list: String, _ set: (inout TrackPoint) -> Void) {
            guard let time = time(date) else { return }
            guard time <= end else {
                leftOut.insert("\(list) after the end")
                return
            }
            points.update(at: time, set)
        }
        for case let rate as [String: Any] in workout["heartRateData"] as? [Any] ?? [] {
            guard let average = JSONFile.number(rate["Avg"] ?? rate["qty"]) else { continue }
            add(rate["date"], "heart rates") { $0.heartRate = average }
        }
        for case let place as [String: Any] in workout["route"] as? [Any] ?? [] {
            func number(_ key: String) -> Double { JSONFile.number(place[key]) ?? .nan }
            add(place["timestamp"] ?? place["date"], "positions") { point in
                point.latitude = JSONFile.number(place["latitude"] ?? place["lat"]) ?? .nan
                point.longitude = JSONFile.number(place["longitude"] ?? place["lon"]) ?? .nan
                point.altitude = number("altitude")
                point.speed = number("speed")
                point.course = number("course")
                point.horizontalAccuracy = number("horizontalAccuracy")
                point.verticalAccuracy = number("verticalAccuracy")
            }
        }
        for (name, value) in workout where name != "heartRateData" && name != "route" {
            if let series = value as? [Any], !series.isEmpty { leftOut.insert("the series \(name)") }
        }
        return steps + points.ordered.map { .point($0) }
    }

    /// Returns a date such as `2024-02-06 07:00:00 -0800` in seconds since 2001.
    private static func time(_ value: Any?) -> Double? { (value as? String)?.tableMoment()?.seconds }

    private static let meters = ["m": 1, "km": 1000, "mi": 1609.344, "yd": 0.9144, "ft": 0.3048]
    private static let kilocalories = ["kcal": 1, "Cal": 1, "kJ": 1 / 4.184]

    /// Returns an amount such as `{"qty": 3.5, "units": "mi"}`, or NaN for one of another unit.
    private static func amount(_ value: Any?, _ units: [String: Double]) -> Double {
        guard let amount = value as? [String: Any], let quantity = JSONFile.number(amount["qty"]),
            let unit = (amount["units"] as? String).flatMap({ units[$0] })
        else { return .nan }
        return quantity * unit
    }
}
