import Foundation
import SessionLog

/// The list of exercises in an export of Samsung Health: `com.samsung.shealth.exercise.DATE.csv`, with one row per
/// exercise. Heart rates, distances and positions are in files of JSON that a row names (``TakeoutFiles``).
public struct SamsungFormat: RecordingFormat {
    /// `samsung`.
    public let name = "samsung"
    /// The name in sentences.
    public let title = "Samsung Health exercises"
    /// `csv`: the content distinguishes it from other tables.
    public let endings = ["csv"]

    private let files: TakeoutFiles?
    private let activity: String?

    /// Creates the format.
    ///
    /// - Parameters:
    ///   - files: The files beside the list.
    ///   - activity: The activity to use if the list states none: a case of `HKWorkoutActivityType`.
    public init(files: TakeoutFiles? = nil, activity: String? = nil) {
        self.files = files
        self.activity = activity
    }

    /// Ten years of exercises have some 10 MB.
    private static let megabytes = 256
    /// The first field of the first row, in current and in old exports.
    private static let marks = ["com.samsung.shealth.exercise,", "com.samsung.health.exercise,"]

    /// Returns whether the first row names the list of exercises.
    public func recognizes(_ start: FileStart) -> Bool {
        Self.marks.contains { start.text.starts(with: Array($0.utf8)) }
    }

    /// Reads a recording of each exercise, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        var rows = QuotedRows(try source.all(atMost: Self.megabytes, which: "no list of exercises"))
        _ = rows.next()
        // `com.samsung.health.exercise.start_time`
        let header = (rows.next() ?? []).map { $0.split(separator: ".").last.map(String.init) ?? "" }
        guard header.contains("start_time"), header.contains("exercise_type") else {
            throw .invalid(
                path: source.path, byte: 0,
                reason: "its second row does not name the start and the type of exercises; export it again")
        }
        var exercises: [SamsungExercise] = []
        var undated = 0
        while let row = rows.next() {
            guard row.contains(where: { !$0.isEmpty }) else { continue }
            let fields = Dictionary(zip(header, row).filter { !$1.isEmpty }) { first, _ in first }
            if let exercise = SamsungExercise(fields) { exercises.append(exercise) } else { undated += 1 }
        }
        let latest = LatestValues<Int, [TrackStep]>(1)
        let ordered = exercises.sorted { $0.start < $1.start }
        let recordings = ordered.enumerated().map { $1.recording($0, self, files, activity: activity, latest) }
        return Recording.list(recordings, undated: undated, format: name)
    }
}
