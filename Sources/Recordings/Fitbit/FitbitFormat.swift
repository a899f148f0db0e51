import Foundation
import SessionLog

/// What Fitbit and Google hand out of a person's exercises (`exercise-0.json` of a takeout): a list with what each came to in
/// all, without heart rates or positions. Those of exercises with positions are in TCX files beside it.
public struct FitbitFormat: RecordingFormat {
    /// `fitbit`.
    public let name = "fitbit"
    /// As it stands in a sentence.
    public let title = "Fitbit exercises"
    /// `json`: other files of that name are told from it by their content.
    public let endings = ["json"]

    /// Nothing to choose: such a file says all there is.
    public init() {}

    /// Lists of a hundred exercises have some hundred kilobytes.
    private static let megabytes = 64

    /// Whether it begins as a list of objects that have a `logId` and an activity.
    public func recognizes(_ start: FileStart) -> Bool {
        guard start.text.first == UInt8(ascii: "[") else { return false }
        let text = String(decoding: start.bytes, as: UTF8.self)
        return text.contains("\"logId\"") && (text.contains("\"activityName\"") || text.contains("\"activityTypeId\""))
    }

    /// A recording of each exercise, with what it came to in all: no heart rates, no positions.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let bytes = try source.all(atMost: Self.megabytes, which: "no list of exercises")
        let exercises: [FitbitExercise]
        do {
            exercises = try JSONDecoder().decode([FitbitExercise].self, from: Data(bytes))
        } catch {
            throw .invalid(
                path: source.path, byte: 0,
                reason: "it is not a list of Fitbit exercises, or it is truncated or damaged; export it again")
        }
        let recordings = exercises.map { $0.recording() }
            .sorted { ($0.facts.start ?? .distantFuture) < ($1.facts.start ?? .distantFuture) }
        guard !recordings.isEmpty else {
            var summary = RecordingSummary(format: name)
            summary.warnings.append(RecordingWarning(byte: 0, message: "the list holds no exercise"))
            return [Recording(entries: [], file: summary)]
        }
        return Recording.numbered(recordings)
    }
}
