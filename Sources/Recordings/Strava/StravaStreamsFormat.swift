import Foundation
import SessionLog

/// The streams of an activity from Strava's API: JSON with one array per quantity, all of the same length. They form a
/// list, or an object by type.
///
/// Units, as the API documents them: s, m, m/s, W, °C, beats and turns per minute. Streams do not state the start of
/// the activity. It comes from a `start_date` beside them, or from the options.
public struct StravaStreamsFormat: RecordingFormat {
    private let options: TableOptions

    /// - Parameter options: Settings for what the file does not state: its start and its activity.
    public init(_ options: TableOptions = TableOptions()) { self.options = options }

    /// `strava`.
    public var name: String { "strava" }
    /// The name in sentences.
    public var title: String { "Strava streams" }
    /// `json`: the content distinguishes it from other files with this extension.
    public var endings: [String] { ["json"] }

    private static let megabytes = 128
    private static let types = [
        "time", "heartrate", "latlng", "distance", "altitude", "velocity_smooth", "cadence", "watts", "temp",
    ]
    private static let otherTypes = ["moving", "grade_smooth"]

    /// Returns whether the first bytes contain a stream in its usual form.
    public func recognizes(_ start: FileStart) -> Bool {
        guard let first = start.text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return false
        }
        let text = start.withoutSpace
        if text.contains("\"series_type\":"), text.contains("\"data\":[") { return true }
        return (Self.types + Self.otherTypes).contains { type in
            text.contains("{\"type\":\"\(type)\",\"data\":[") || text.contains("\"\(type)\":{\"data\":[")
                || (type.contains("_") || type == "latlng" || type == "heartrate") && text.contains("\"\(type)\":[")
        }
    }

    /// Reads a recording of the activity.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let root = try JSONFile.value(source, atMost: Self.megabytes, title: title)
        let streams = Self.streams(root)
        guard let times = streams["time"]?.map(JSONFile.number), let last = times.compactMap(\.self).last else {
            throw .invalid(
                path: source.path, byte: 0,
                reason: "its streams lack \"time\", without which the others have no times; request that stream, too")
        }
        let object = root as? [String: Any] ?? [:]
        let activity = object["activity"] as? [String: Any] ?? object
        let stated = (activity["start_date"] as? String)?.tableMoment()?.seconds
        var warnings: [RecordingWarning] = []
        let start = stated ?? options.start?.timeIntervalSinceReferenceDate ?? self.start(source, last, &warnings)
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        if let sport = activity["sport_type"] as? String ?? activity["type"] as? String { steps.append(.sport(sport)) }
        if let device = activity["device_name"] as? String { steps.append(.device(TrackDevice(name: device))) }
        for (index, time) in times.enumerated() {
            if let time { steps.append(.point(Self.point(streams, index, start + time))) }
        }
        let leftOut = Self.otherTypes.filter { streams[$0] != nil }.map { "the stream \($0)" }
        var recording = StoredTrackSteps.recording(
            steps, leftOut: leftOut, format: self, activity: options.activity)
        recording.file.warnings = warnings + recording.file.warnings
        return Recording.numbered([recording])
    }

    /// Returns the start, on the assumption that the file was saved when the activity ended.
    private func start(_ source: RecordingSource, _ last: Double, _ warnings: inout [RecordingWarning]) -> Double {
        let end = (source.modified ?? Date()).timeIntervalSinceReferenceDate.rounded(.down)
        let text = SessionLogDate.text(Date(timeIntervalSinceReferenceDate: end)) ?? "?"
        warnings.append(
            RecordingWarning(
                byte: 0,
                message: "the streams do not say on which day they began; they are taken to end when the file was last "
                    + "changed, \(text) (change it with --start)"))
        return end - last
    }

    private static func streams(_ root: Any) -> [String: [Any]] {
        var streams: [String: [Any]] = [:]
        for case let stream as [String: Any] in root as? [Any] ?? [] {
            if let type = stream["type"] as? String { streams[type] = stream["data"] as? [Any] }
        }
        if let object = root as? [String: Any] {
            if let inner = object["streams"] { return self.streams(inner) }
            for (type, stream) in object {
                streams[type] = stream as? [Any] ?? (stream as? [String: Any])?["data"] as? [Any]
            }
        }
        return streams
    }

    private static func point(_ streams: [String: [Any]], _ index: Int, _ time: Double) -> TrackPoint {
        func number(_ type: String) -> Double {
            guard let values = streams[type], index < values.count else { return .nan }
            return JSONFile.number(values[index]) ?? .nan
        }
        var point = TrackPoint()
        point.time = time
        point.heartRate = number("heartrate")
        point.distance = number("distance")
        point.altitude = number("altitude")
        point.speed = number("velocity_smooth")
        point.cadence = number("cadence")
        point.power = number("watts")
        point.temperature = number("temp")
        if let places = streams["latlng"], index < places.count, let place = places[index] as? [Any], place.count == 2,
            let latitude = JSONFile.number(place[0]), let longitude = JSONFile.number(place[1])
        {
            (point.latitude, point.longitude) = (latitude, longitude)
        }
        return point
    }
}
