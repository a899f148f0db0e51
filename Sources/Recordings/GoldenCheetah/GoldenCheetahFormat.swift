import Foundation
import SessionLog

/// The activities of GoldenCheetah: JSON with a `RIDE` and its `SAMPLES`.
///
/// Samples count seconds from `STARTTIME`. Units: km, km/h, W, turns and beats per minute, m, °C. Intervals with the
/// names of laps become laps.
public struct GoldenCheetahFormat: RecordingFormat {
    private let activity: String?

    /// - Parameter activity: The activity to use if the file states none: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// `goldencheetah`.
    public var name: String { "goldencheetah" }
    /// The name in sentences.
    public var title: String { "GoldenCheetah" }
    /// `json`: the content distinguishes it from other files with this extension.
    public var endings: [String] { ["json"] }

    private static let megabytes = 256

    /// Returns whether the object begins with `RIDE`.
    public func recognizes(_ start: FileStart) -> Bool {
        start.text.first == UInt8(ascii: "{") && start.withoutSpace.hasPrefix("{\"RIDE\":{")
    }

    /// Reads a recording of the ride.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let root = try JSONFile.object(source, atMost: Self.megabytes, title: title)
        guard let ride = root["RIDE"] as? [String: Any], let start = Self.start(ride) else {
            throw .invalid(path: source.path, byte: 0, reason: "its ride has no STARTTIME that is a date")
        }
        let samples = ride["SAMPLES"] as? [[String: Any]] ?? []
        var leftOut: Set<String> = []
        var steps = Self.opening(ride)
        let laps = Self.laps(ride, start)
        steps += laps
        for sample in samples { steps.append(.point(Self.point(sample, start, &leftOut))) }
        let recording = StoredTrackSteps.recording(
            steps, leftOut: leftOut.sorted().map { "the series \($0)" }, format: self, activity: activity)
        return Recording.numbered([recording])
    }

    /// Returns the start, such as `2013/05/27 07:56:35 UTC`.
    private static func start(_ ride: [String: Any]) -> Double? {
        (ride["STARTTIME"] as? String)?.trimmingCharacters(in: .whitespaces).tableMoment()?.seconds
    }

    private static func opening(_ ride: [String: Any]) -> [TrackStep] {
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        let tags = ride["TAGS"] as? [String: Any] ?? [:]
        func text(_ key: String) -> String? {
            let text = (tags[key] as? String ?? "").trimmingCharacters(in: .whitespaces)
            return text.isEmpty ? nil : text
        }
        if let sport = text("SubSport") ?? text("Sport") {
            steps.append(.sport(SportName.activity(sport) == nil ? text("Sport") ?? sport : sport))
        }
        let device = text("Device") ?? ride["DEVICETYPE"] as? String ?? ""
        if !device.isEmpty { steps.append(.device(TrackDevice(name: device))) }
        var labels = WorkoutLabels()
        labels.title = (text("Workout Title") ?? text("Workout Code")).flatMap(WorkoutLabels.title(fromStranger:))
        labels.notes = text("Notes")
        labels.tags = WorkoutLabels.tags(in: text("Keywords") ?? "")
        // 0 means “none”.
        labels.effort = text("RPE").flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil }
        if labels != WorkoutLabels() { steps.append(.labels(labels)) }
        return steps
    }

    /// Returns the intervals that devices recorded as laps.
    private static func laps(_ ride: [String: Any], _ start: Double) -> [TrackStep] {
        (ride["INTERVALS"] as? [[String: Any]] ?? []).flatMap { interval -> [TrackStep] in
            let name = (interval["NAME"] as? String ?? "").trimmingCharacters(in: .whitespaces)
            guard name.lowercased().hasPrefix("lap") || Int(name) != nil,
                let from = JSONFile.number(interval["START"]), let to = JSONFile.number(interval["STOP"]), from >= 0,
                to > from, to <= TrackLap.longest
            else { return [] }
            return [.lapBegan(start: start + from), .lapEnded(TrackLap(elapsedSeconds: to - from))]
        }
    }

    private static func point(_ sample: [String: Any], _ start: Double, _ leftOut: inout Set<String>) -> TrackPoint {
        var point = TrackPoint()
        for (name, value) in sample {
            guard let value = JSONFile.number(value) else { continue }
            switch name {
            case "SECS": point.time = start + value
            case "HR": point.heartRate = value
            case "KM": point.distance = value * 1000
            case "KPH": point.speed = value / 3.6
            case "WATTS": point.power = value
            case "CAD": point.cadence = value
            case "RCAD": if point.cadence.isNaN { point.cadence = value }
            case "ALT": point.altitude = value
            case "LAT": point.latitude = value
            case "LON": point.longitude = value
            // −255 means “none”.
            case "TEMP": if value > -100 { point.temperature = value }
            default: if value != 0 { leftOut.insert(name) }
            }
        }
        return point
    }
}
