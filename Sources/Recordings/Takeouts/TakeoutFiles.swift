import Foundation

/// Files of a takeout that hold readings of exercises which a list beside them describes.
public struct TakeoutFiles: Sendable {
    /// The heart rates of whole days from Fitbit. Nil without any.
    let heartRates: FitbitHeartRates?
    /// The heart rates of all days from Mi Fitness or Zepp. Nil without any.
    let bandHeartRates: BandHeartRates?
    /// The positions of days from Google. Nil without any.
    let positions: GoogleDays?
    /// The series of single exercises: from Samsung Health by the names of their files without folders, from adidas
    /// Running by their folder and the ID of the session.
    let series: [String: RecordingSource]
    /// The GPX files of workouts in a database of Gadgetbridge, by their names without folders.
    let tracks: [String: RecordingSource]
    /// The names of FIT files without folders.
    let fitNames: Set<String>
    /// The IDs of sessions from adidas Running.
    private let sessions: Set<Substring>

    /// The ends of the names of Samsung's files with heart rates, speeds and distances, and with positions.
    static let liveData = "exercise.live_data.json"
    static let locationData = "exercise.location_data.json"
    /// The clock of a longer exercise is wrong.
    static let longestExerciseInMilliseconds = 30 * 86_400_000.0

    /// Returns whether an exercise can last from one time to another, in seconds since 2001.
    static func canLast(from start: Double, to end: Double) -> Bool {
        end > start && end - start < longestExerciseInMilliseconds / 1000 && TrackPoint(time: start).hasTime
    }

    /// Folders of Google whose tables hold days. The first one is named so in every language.
    private static let googleFolders = ["_GoogleData/", "Google Health/", "Takeout/Fitbit/"]

    /// Tables of Zepp that hold days.
    private static var zeppDays: Regex<(Substring, Substring, Substring?)> {
        #/(ACTIVITY|BODY|HEARTRATE|SLEEP|USER)(_[A-Z]+)?_\d+\.csv/#
    }

    /// Finds those files among others.
    /// - Parameter files: Names with their folders, and contents.
    public init(_ files: some Sequence<(name: String, source: RecordingSource)>) {
        heartRates = FitbitHeartRates(files)
        bandHeartRates = BandHeartRates(files)
        positions = GoogleDays(files, prefix: "gps_location_", columns: ["latitude", "longitude", "altitude"])
        var series: [String: RecordingSource] = [:]
        var sessions: Set<Substring> = []
        var fitNames: Set<String> = []
        var tracks: [String: RecordingSource] = [:]
        var databases: [RecordingSource] = []
        for (name, source) in files {
            let last = Self.lastPart(of: name)
            switch last.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased() {
            case "gpx": tracks[String(last)] = source
            case "fit": fitNames.insert(String(last))
            case nil, "db", "sqlite": if last.lowercased().hasPrefix("gadgetbridge") { databases.append(source) }
            default: break
            }
            if last.hasSuffix(Self.liveData) || last.hasSuffix(Self.locationData) {
                series[String(last)] = source
            } else if last.hasSuffix(".json"), let (folder, id) = Self.session(name) {
                if folder.isEmpty { sessions.insert(id) } else { series["\(folder)/\(id)"] = source }
            }
        }
        self.series = series
        self.sessions = sessions
        self.fitNames = fitNames
        // A database that cannot be read is an error when it is imported.
        let known = databases.reduce(into: Set<String>()) { known, database in
            known.formUnion((try? GadgetbridgeTracks.names(database)) ?? [])
        }
        self.tracks = tracks.filter { known.contains($0.key) }
    }

    /// Returns the ID of the session of adidas Running that a file belongs to, and the file's folder in `Sport-sessions`.
    private static func session(_ name: String) -> (folder: Substring, id: Substring)? {
        let parts = name.split(separator: "/")
        guard let place = parts.lastIndex(of: "Sport-sessions"), place < parts.count - 1, parts.count - place <= 3
        else {
            return nil
        }
        return (
            parts.count - place == 3 ? parts[place + 1] : "", parts[parts.count - 1].prefix { $0 != "." }.suffix(36)
        )
    }

    private init(_ files: TakeoutFiles, completedBy outer: TakeoutFiles) {
        heartRates = files.heartRates ?? outer.heartRates
        bandHeartRates = files.bandHeartRates ?? outer.bandHeartRates
        positions = files.positions ?? outer.positions
        series = files.series.isEmpty ? outer.series : files.series
        sessions = files.sessions.isEmpty ? outer.sessions : files.sessions
        tracks = files.tracks.isEmpty ? outer.tracks : files.tracks
        fitNames = files.fitNames.isEmpty ? outer.fitNames : files.fitNames
    }

    /// Returns the same files. If there are none of a kind, those of an outer folder or archive are used.
    public func completed(by outer: TakeoutFiles?) -> TakeoutFiles {
        outer.map { TakeoutFiles(self, completedBy: $0) } ?? self
    }

    /// Returns whether a file of a takeout holds no workout, although it may look like one: days of Google, Mi Fitness
    /// and Zepp, days and series of Samsung Health, series of adidas Running, and tracks of Gadgetbridge. Their
    /// exercises are in other files.
    public func holdsNoWorkout(_ name: String) -> Bool {
        let last = Self.lastPart(of: name)
        if tracks[String(last)] != nil { return true }
        if name.hasSuffix(".csv"), Self.googleFolders.contains(where: name.contains) {
            return !last.hasPrefix("UserExercises_")
        }
        if let (folder, id) = Self.session(name), !folder.isEmpty {
            return name.hasSuffix(".json") || sessions.contains(id) && series["GPS-data/\(id)"] != nil
        }
        if last.contains("hlth_center_") { return !last.contains("hlth_center_sport_record") }
        if last.wholeMatch(of: Self.zeppDays) != nil { return true }
        guard !last.hasPrefix("com.samsung.shealth.exercise."), !last.hasPrefix("com.samsung.health.exercise.") else {
            // Other tables of exercises have a word after these, where the list has its date.
            let word = last.split(separator: ".").dropFirst(4).first ?? ""
            return word != "csv" && !word.allSatisfy(\.isNumber)
        }
        return last.hasPrefix("com.samsung.") || name.contains("jsons/com.samsung.")
    }

    /// Returns the last component of a path.
    static func lastPart(of name: String) -> Substring { name.split(separator: "/").last ?? "" }
}

/// The GPX files beside an export of Gadgetbridge, which belong to workouts in its database.
enum GadgetbridgeTracks {
    /// The table of workouts.
    static let table = "BASE_ACTIVITY_SUMMARY"

    /// Returns the names of the files that the workouts of a database name, without folders. Empty for any other file.
    fileprivate static func names(_ source: RecordingSource) throws(RecordingError) -> Set<String> {
        guard try source.start().holds(SQLiteReader.magic) else { return [] }
        let database = try SQLiteReader(source)
        guard try database.has(["GPX_TRACK"], in: table) else { return [] }
        var names: Set<String> = []
        try database.forEach("SELECT GPX_TRACK FROM \(table)") { row in
            if let path = row.text(0) { names.insert(String(TakeoutFiles.lastPart(of: path))) }
        }
        return names
    }
}
