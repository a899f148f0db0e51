/// The GPX files beside an export of Gadgetbridge, which belong to workouts in its database.
enum GadgetbridgeTracks {
    /// The table of workouts.
    static let table = "BASE_ACTIVITY_SUMMARY"

    /// Returns the name of a file without its folder on the phone.
    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns the names of the files that the workouts of a database name. Empty for any other file.
    static func names(_ source: RecordingSource) throws(RecordingError) -> Set<String> {
        guard try source.start().holds(SQLiteReader.magic) else { return [] }
        let database = try SQLiteReader(source)
        guard try database.has(["GPX_TRACK"], in: table) else { return [] }
        var names: Set<String> = []
        try database.forEach("SELECT GPX_TRACK FROM \(table)") { row in
            if let path = row.text(0) { names.insert(name(path)) }
        }
        return names
    }
}
