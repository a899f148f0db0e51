import Foundation
import SessionLog

/// A session in an export of adidas Running (Runtastic): a file in `Sport-sessions`, with totals. Positions and heart
/// rates are in files with the same ID in `GPS-data` and `Heart-rate-data` beside it (``TakeoutFiles``).
///
/// Field names, units and numbers of sports: files of exports from 2018 on.
public struct AdidasFormat: RecordingFormat {
    /// `adidas`.
    public let name = "adidas"
    /// The name in sentences.
    public let title = "adidas Running"
    /// `json`: the content distinguishes it from other files with this extension.
    public let endings = ["json"]

    private let files: TakeoutFiles?
    private let activity: String?

    /// Creates the format.
    ///
    /// - Parameters:
    ///   - files: The files beside the session.
    ///   - activity: The activity to use if its sport is unknown: a case of `HKWorkoutActivityType`.
    public init(files: TakeoutFiles? = nil, activity: String? = nil) {
        self.files = files
        self.activity = activity
    }

    private static let megabytes = 128

    /// Returns whether the file begins as an object with the fields of a session.
    public func recognizes(_ start: FileStart) -> Bool {
        let text = start.withoutSpace
        return text.hasPrefix("{") && text.contains("\"sport_type_id\":")
            && text.contains("\"start_time_timezone_offset\":")
    }

    /// Reads the recording of the session.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let session = try JSONFile.object(source, atMost: Self.megabytes, title: title)
        let attributes = Self.attributes(session)
        func number(_ name: String) -> Double? { JSONFile.number(attributes[name]) }
        guard let start = number("start_time"),
            let duration = number("duration") ?? number("end_time").map({ $0 - start }),
            duration > 0, case let end = max(number("end_time") ?? 0, start + duration),
            end - start < TakeoutFiles.longestExerciseInMilliseconds, TrackPoint(time: start / 1000).hasTime
        else {
            throw .invalid(path: source.path, byte: 0, reason: "the session has no start or no duration")
        }
        var warnings: [RecordingWarning] = []
        let id = attributes["id"] as? String
        let points = points(
            series("GPS-data", id, &warnings), series("Heart-rate-data", id, &warnings))
        var stated = TrackSession(
            start: TrackPoint.time(unixMilliseconds: start), seconds: (end - start) / 1000,
            distanceInMeters: number("distance") ?? .nan, kilocalories: number("calories") ?? .nan)
        stated.activeSeconds = duration / 1000
        let sport = activity(attributes, isOutdoors: points.contains(where: \.hasPosition))
        let labels = WorkoutLabels { key in key == WorkoutLabels.notesKey ? attributes["notes"] as? String : nil }
        let steps: [TrackStep] = [
            .workout(byte: 0, goesOn: false), .part, .activity(sport), .session(stated),
            .device(TrackDevice(name: title)), .labels(labels),
        ]
        var recording = StoredTrackSteps.recording(
            steps + points.map { .point($0) }, leftOut: [], format: self, activity: activity)
        recording.file.warnings = warnings + recording.file.warnings
        if let id { recording.identify(in: "adidas", readings: points.count) { $0.combine(id) } }
        let offset = number("start_time_timezone_offset").map { $0 / 1000 }
        return Recording.numbered([recording.inTimeZone(secondsFromGMT: offset)])
    }

    /// Returns the fields of the session. Newer exports have some in a list of features.
    private static func attributes(_ session: [String: Any]) -> [String: Any] {
        var attributes: [String: Any] = [:]
        for case let feature as [String: Any] in session["features"] as? [Any] ?? [] {
            guard ["track_metrics", "initial_values"].contains(feature["type"] as? String) else { continue }
            attributes.merge(feature["attributes"] as? [String: Any] ?? [:]) { first, _ in first }
        }
        return attributes.merging(session) { $1 }
    }

    private func activity(_ attributes: [String: Any], isOutdoors: Bool) -> ActivityDescription {
        let sport =
            attributes["sport_type_id"] as? String
            ?? JSONFile.number(attributes["sport_type_id"]).flatMap { Int(exactly: $0) }.map(String.init)
        var description = ActivityDescription(activity: sport.flatMap { Self.activities[$0] } ?? "other")
        if attributes["indoor"] as? Bool == true || sport == "15" {
            description.location = .indoor
        } else if isOutdoors {
            description.location = .outdoor
        }
        return description
    }

    private static let activities = [
        "1": "running", "3": "cycling", "4": "cycling", "7": "hiking", "9": "downhillSkiing", "15": "cycling",
        "18": "swimming", "19": "walking", "22": "cycling", "26": "yoga", "31": "pilates", "32": "climbing",
        "34": "traditionalStrengthTraining", "54": "skatingSports", "55": "snowSports", "70": "cardioDance",
        "71": "hockey", "74": "gymnastics", "81": "crossTraining",
    ]

    // MARK: Series

    private func series(_ folder: String, _ id: String?, _ warnings: inout [RecordingWarning]) -> [[String: Any]] {
        guard let id, let source = files?.series["\(folder)/\(id)"] else { return [] }
        do throws(RecordingError) {
            let value = try JSONFile.value(source, atMost: Self.megabytes, title: title)
            return (value as? [Any] ?? []).compactMap { $0 as? [String: Any] }
        } catch {
            warnings.append(RecordingWarning(byte: 0, message: "its file in \(folder) cannot be read: it is damaged"))
            return []
        }
    }

    private func points(_ places: [[String: Any]], _ rates: [[String: Any]]) -> [TrackPoint] {
        var points = MergedTrackPoints()
        func add(_ row: [String: Any], _ set: (inout TrackPoint, (String) -> Double) -> Void) {
            guard let time = Self.time(row["timestamp"]) else { return }
            points.update(at: time) { point in set(&point) { JSONFile.number(row[$0]) ?? .nan } }
        }
        for row in places {
            add(row) { point, number in
                (point.latitude, point.longitude) = (number("latitude"), number("longitude"))
                point.altitude = number("altitude")
                point.distance = number("distance")
                // km/h
                point.speed = number("speed") / 3.6
            }
        }
        for row in rates {
            add(row) { point, number in
                point.heartRate = number("heart_rate")
                if places.isEmpty { point.distance = number("distance") }
            }
        }
        return points.ordered
    }

    /// Reads milliseconds since 1970, or `2018-09-01 11:28:34 +0200` in older exports.
    private static func time(_ value: Any?) -> Double? {
        JSONFile.number(value).map(TrackPoint.time(unixMilliseconds:))
            ?? (value as? String)?.tableMoment()?.seconds
    }
}
