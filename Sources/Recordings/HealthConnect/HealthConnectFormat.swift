import SessionLog

/// An export of Android's Health Connect: a database of SQLite (`health_connect_export.db` in `Health Connect.zip`) with
/// the exercises, heart rates and routes of all apps of a phone.
///
/// Tables, columns and units: Android Open Source Project, `packages/modules/HealthFitness`. Times are in ms since 1970,
/// energies in calories, and the rest in m, m/s, W and beats, turns or steps per minute.
public struct HealthConnectFormat: RecordingFormat {
    /// `healthconnect`.
    public let name = "healthconnect"
    /// The name in sentences.
    public let title = "Health Connect"
    /// `db`: the content distinguishes it from other databases.
    public let endings = ["db"]

    private let activity: String?

    /// Creates the format.
    ///
    /// - Parameter activity: The activity to use if an exercise has no type: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// Returns whether the file begins as a database of SQLite. Whose it is shows only in its tables.
    public func recognizes(_ start: FileStart) -> Bool { start.holds(SQLiteReader.magic) }

    /// Reads a recording of each exercise, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let database = try SQLiteReader(source)
        let columns = try database.columns(of: HealthConnectExercise.table)
        guard columns.isSuperset(of: ["row_id", "start_time", "end_time", "exercise_type", "app_info_id"]) else {
            return [Recording(format: name, warning: "the database is no export of Health Connect")]
        }
        let exercises = try HealthConnectExercises(database)
        let latest = LatestValues<Int, [TrackStep]>(1)
        let recordings = exercises.all.enumerated().map { $1.recording($0, self, activity: activity, latest) }
        guard !recordings.isEmpty else { return [Recording(format: name, warning: "the export holds no exercise")] }
        return Recording.numbered(recordings)
    }
}
