import SessionLog

/// Databases of SQLite in which apps of phones keep workouts. Their tables show whose they are.
///
/// An export of Android's Health Connect (`health_connect_export.db` in `Health Connect.zip`) has the exercises, heart
/// rates and routes of all apps. Tables, columns and units: Android Open Source Project,
/// `packages/modules/HealthFitness`. Times are in ms since 1970, energies in calories, and the rest in m, m/s, W and
/// beats, turns or steps per minute.
///
/// An export of Gadgetbridge (`Gadgetbridge`, or `database/Gadgetbridge` in a zip archive) has the workouts of watches
/// and bands, and what they measured all day. Tables, columns and numbers of activities: Gadgetbridge,
/// `GBDaoGenerator`, `ActivityKind` and `ActivitySummaryEntries`.
public struct DatabaseFormat: RecordingFormat {
    /// `healthconnect` or `gadgetbridge` in recordings, else `sqlite`.
    public private(set) var name = "sqlite"
    /// The names of the apps in sentences.
    public private(set) var title = "Health Connect, Gadgetbridge"
    /// `db`: the content distinguishes it from other databases.
    public let endings = ["db"]

    private let files: TakeoutFiles?
    private let activity: String?

    /// Creates the format.
    ///
    /// - Parameters:
    ///   - files: The files beside the database, with the tracks of its workouts.
    ///   - activity: The activity to use if a workout has no type: a case of `HKWorkoutActivityType`.
    public init(files: TakeoutFiles? = nil, activity: String? = nil) {
        self.files = files
        self.activity = activity
    }

    /// Returns whether the file begins as a database of SQLite.
    public func recognizes(_ start: FileStart) -> Bool { start.holds(SQLiteReader.magic) }

    /// Reads a recording of each workout, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let database = try SQLiteReader(source)
        let latest = LatestValues<Int, [TrackStep]>(1)
        if try database.has(HealthConnectExercise.columns, in: HealthConnectExercise.table) {
            let format = named("healthconnect", "Health Connect")
            let exercises = try HealthConnectExercises(database).all
            return format.list(exercises.enumerated().map { $1.recording($0, format, activity: activity, latest) })
        }
        if try database.has(GadgetbridgeWorkout.columns, in: GadgetbridgeWorkout.table) {
            let format = named("gadgetbridge", "Gadgetbridge")
            let workouts = try GadgetbridgeWorkout.all(in: database)
            return format.list(
                workouts.enumerated().compactMap { $1.recording($0, format, files, activity: activity, latest) })
        }
        if try database.has(["firstSequence", "lastSequence"], in: "run"),
            try database.has(["run", "columns"], in: "content")
        {
            throw .notReadable(path: source.path, content: .healthStore)
        }
        return [Recording(format: name, warning: "the database is not an export of Health Connect or Gadgetbridge")]
    }

    private func named(_ name: String, _ title: String) -> DatabaseFormat {
        var format = self
        (format.name, format.title) = (name, title)
        return format
    }

    private func list(_ recordings: [Recording]) -> [Recording] {
        Recording.list(recordings, empty: "the database holds no workout", format: name)
    }
}
