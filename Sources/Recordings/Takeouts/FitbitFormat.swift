public import Foundation
import SessionLog

/// A person's exercises from Fitbit and Google: a list with the totals of each, `exercise-0.json` or
/// `UserExercises_2026-03-01.csv` of a takeout. New accounts have only the table. Heart rates and positions are in files
/// of whole days beside it (``TakeoutFiles``).
public struct FitbitFormat: RecordingFormat {
    /// `fitbit`.
    public let name = "fitbit"
    /// The name in sentences.
    public let title = "Fitbit exercises"
    /// `json` and `csv`: the content distinguishes it from other files with these extensions.
    public let endings = ["json", "csv"]

    private let files: TakeoutFiles?
    private let zone: TimeZone

    /// Creates the format.
    ///
    /// - Parameters:
    ///   - files: The files beside the list.
    ///   - zone: The time zone of their clock, if it did not show UTC.
    public init(files: TakeoutFiles? = nil, zone: TimeZone = .current) {
        self.files = files
        self.zone = zone
    }

    /// A list of a hundred exercises has a few hundred kilobytes.
    private static let megabytes = 64

    /// The first columns of the table.
    private static let table = Array("exercise_id,exercise_start,exercise_end,".utf8)

    /// Returns whether the file begins as a list of objects with a `logId` and an activity, or as the table.
    public func recognizes(_ start: FileStart) -> Bool {
        if start.text.starts(with: Self.table) { return true }
        guard start.text.first == UInt8(ascii: "[") else { return false }
        let text = String(decoding: start.bytes, as: UTF8.self)
        return text.contains("\"logId\"") && (text.contains("\"activityName\"") || text.contains("\"activityTypeId\""))
    }

    /// Reads a recording of each exercise, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let bytes = try source.all(atMost: Self.megabytes, which: "no list of exercises")
        let exercises: [FitbitExercise]
        do {
            let isTable = FileStart(bytes).text.starts(with: Self.table)
            exercises =
                try isTable
                ? QuotedRows.named(bytes).map(FitbitExercise.init)
                : JSONDecoder().decode([FitbitExercise].self, from: Data(bytes))
        } catch {
            throw .invalid(
                path: source.path, byte: 0,
                reason: "it is not a list of Fitbit exercises, or it is truncated or damaged; export it again")
        }
        // In order of time, few days of heart rates are read at once.
        let ordered = exercises.sorted { ($0.start ?? .distantFuture) < ($1.start ?? .distantFuture) }
        let latest = LatestValues<Int, [TrackStep]>(1)
        let recordings = ordered.enumerated().map { $1.recording($0, self, files, zone: zone, latest) }
        return Recording.list(recordings, format: name)
    }
}
