import Foundation
import HealthKit
import Recordings
import Testing

@testable import workout

/// Archives like the services' exports, generated from public descriptions, with their names, folders and formats.
@Suite(.needsCommand) struct TakeoutTests {
    private let command: BuiltCommand
    private var folder: URL { command.home.appending(path: "takeout") }
    private static let run = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
    private static let intervals = SampleRecordingsTests.folder.appendingPathComponent("intervals.jsonl").path

    init() throws {
        command = try BuiltCommand()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // MARK: Files

    private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// A FIT file that is not an activity.
    private static func fit(ofType type: UInt8) -> [UInt8] {
        let data: [UInt8] = [0x40, 0, 0, 0, 0, 1, 0, 1, 0, 0, type]
        return [14, 0x20, 0x54, 0x08, UInt8(data.count), 0, 0, 0] + Array(".FIT".utf8) + [0, 0] + data + [0, 0]
    }

    private static let start = Date(timeIntervalSince1970: 1_772_359_200)

    private static func gpx(day: Int, type: String = "") -> String {
        let points = (0..<120).map { second in
            """
            <trkpt lat="52.5" lon="\(13 + Double(second) / 10_000)"><time>\
            \((start + Double(day * 86_400 + second)).ISO8601Format())</time></trkpt>
            """
        }
        return """
            <?xml version="1.0"?><gpx version="1.1" creator="StravaGPX"><trk>\(type)<trkseg>\(points.joined())</trkseg></trk>\
            </gpx>
            """
    }

    private static func tcx(day: Int, sport: String) -> String {
        let first = start + Double(day * 86_400)
        let points = (0..<120).map { second in
            """
            <Trackpoint><Time>\((first + Double(second)).ISO8601Format())</Time><DistanceMeters>\(second * 3)\
            </DistanceMeters><HeartRateBpm><Value>\(130 + second % 5)</Value></HeartRateBpm></Trackpoint>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?><TrainingCenterDatabase \
            xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="\(sport)"><Id>\
            \(first.ISO8601Format())</Id><Lap StartTime="\(first.ISO8601Format())"><TotalTimeSeconds>119</TotalTimeSeconds>\
            <DistanceMeters>357</DistanceMeters><Calories>25</Calories><Track>\(points.joined())</Track></Lap></Activity>\
            </Activities></TrainingCenterDatabase>
            """
    }

    /// Packs the folder.
    private func zip(_ before: String = "true") async throws -> String {
        let archive = command.home.appending(path: "takeout.zip").path
        let made = try await command.shell(
            "cd '\(folder.path)' && \(before) && python3 -m zipfile -c '\(archive)' *")
        #expect(made.status == 0, "\(made.errors)")
        return archive
    }

    /// The line of each imported workout, by the name of its file.
    private func imported(_ archive: String) async throws -> [String: [String: Any]] {
        let outcome = try await command.run("import", "--json", archive)
        #expect(outcome.status == 0, "\(outcome.all)")
        var found: [String: [String: Any]] = [:]
        for line in outcome.output.split(separator: "\n") {
            let all = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if let summary = all?["summary"] as? [String: Any] { found["summary"] = summary }
            guard let workout = all?["workout"] as? [String: Any], let id = workout["id"] as? String else { continue }
            found[id] = workout
        }
        return found
    }

    private struct Stored: Equatable {
        var activity: String
        var start: String
        var seconds: Double
        /// Statistics by type: sums, or numbers of readings.
        var figures: [String: Double]

        init?(_ workout: [String: Any]) {
            guard let activity = workout["activity"] as? String, let start = workout["start"] as? String,
                let seconds = workout["duration"] as? Double
            else { return nil }
            (self.activity, self.start, self.seconds) = (activity, start, seconds)
            figures = (workout["statistics"] as? [String: [String: Any]] ?? [:]).reduce(into: [:]) { figures, entry in
                let name = entry.key.replacing("HKQuantityTypeIdentifier", with: "")
                figures[name] = (entry.value["sum"] as? Double ?? entry.value["count"] as? Double)?.rounded()
            }
        }
    }

    private func stored(_ found: [String: [String: Any]]) -> [Stored] {
        found.values.compactMap(Stored.init).sorted { $0.start < $1.start }
    }

    private func summary(_ found: [String: [String: Any]], _ name: String) -> Int? { found["summary"]?[name] as? Int }

    // MARK: Takeouts

    @Test func `activities of Garmin's nested archive are imported, and nothing else`() async throws {
        defer { command.remove() }
        let made = try await command.run("convert", Self.run, folder.appending(path: "me@example.org_1.fit").path)
        #expect(made.status == 0, "\(made.all)")
        for (number, type) in [(2, 32), (3, 2), (4, 6), (5, 32)] as [(Int, UInt8)] {
            try write("me@example.org_\(number).fit", Self.fit(ofType: type))
        }
        try write(
            "DI_CONNECT/DI-Connect-Fitness/me_0_summarizedActivities.json", "[{\"summarizedActivitiesExport\":[]}]".utf8
        )
        try write("customer_data/customer.json", "{\"id\": 1}".utf8)
        let archive = try await zip(
            """
            mkdir -p DI_CONNECT/DI-Connect-Uploaded-Files && python3 -m zipfile -c \
            DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip *.fit && rm *.fit
            """)
        let outcome = try await command.run("import", archive)
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.all)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.output)")
        #expect(lines[0].contains("UploadedFiles_0-_Part1.zip/me@example.org_1.fit: "))
        #expect(lines[0].contains("Running"))
        #expect(
            lines[1]
                == "6 files hold no workout of their own (2 .json, 2 files of a day's monitoring, 1 course, 1 settings file)"
        )
        #expect(lines[2] == "1 recording: 1 imported")
    }

    @Test func `Strava's list gives the activity if the file does not`() async throws {
        defer { command.remove() }
        try write("activities/1.gpx", Self.gpx(day: 0).utf8)
        try write("activities/2.tcx", ("          " + Self.tcx(day: 1, sport: "Other")).utf8)
        try write("activities/3.gpx", Self.gpx(day: 2, type: "<type>running</type>").utf8)
        try write(
            "activities.csv",
            """
            Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Filename
            1,"Mar 1, 2026, 10:00:00 AM","Morning, easy",Ride,"two
            lines",119,0.8,activities/1.gpx.gz
            2,"Mar 2, 2026, 10:00:00 AM",Lake,Swim,,119,357,activities/2.tcx.gz
            3,"Mar 3, 2026, 10:00:00 AM",Wrong,Ride,,119,0.8,activities/3.gpx

            """.utf8)
        try write("profile.csv", "Athlete ID,Email Address\n1,a@example.org\n".utf8)
        try write("media/1.jpg", [0xFF, 0xD8, 0xFF])
        let found = try await imported(zip("gzip activities/1.gpx activities/2.tcx"))
        let workouts = stored(found)
        #expect(workouts.map(\.activity) == ["cycling", "swimming", "running"])
        #expect(workouts.map(\.start) == ["01", "02", "03"].map { "2026-03-\($0)T10:00:00.000Z" })
        #expect(workouts.map(\.seconds) == [119, 119, 119])
        #expect(workouts.first?.figures["DistanceCycling"] != nil)
        #expect(
            workouts.dropFirst().first?.figures == [
                "DistanceSwimming": 357, "HeartRate": 120, "ActiveEnergyBurned": 25,
            ])
        #expect(summary(found, "noWorkout") == 3 && summary(found, "unreadable") == 0)
        // The same, unpacked by its owner.
        let again = try await command.run("import", "--json", folder.path)
        #expect(again.output.split(separator: "\n").last?.contains(#""stored":0,"known":3,"#) == true, "\(again.all)")
    }

    @Test func `Strava's list takes precedence, and a more complete file keeps the title`() async throws {
        defer { command.remove() }
        func labels(_ output: String) throws -> [String: String] {
            let line = try #require(output.split(separator: "\n").last)
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (object ?? [:]).compactMapValues { $0 as? String }
        }
        try write("activities/1.gpx", Self.gpx(day: 0, type: "<name>Named by file</name><desc>By file</desc>").utf8)
        try write(
            "activities.csv",
            """
            Activity ID,Activity Name,Activity Type,Activity Description,Activity Gear,Filename
            1,Named by list,Ride,,Red bike,activities/1.gpx

            """.utf8)
        #expect(try await command.run("import", folder.path).status == 0)
        let said = try labels(try await command.run("list", "--json").output)
        #expect(said["title"] == "Named by list" && said["notes"] == "By file" && said["gear"] == "Red bike")
        // The watch's own file has heart rates, but no title.
        let watch = command.home.appending(path: "watch.tcx")
        let points = (0..<120).map { second in
            """
            <Trackpoint><Time>\((Self.start + Double(second)).ISO8601Format())</Time><Position><LatitudeDegrees>52.5\
            </LatitudeDegrees><LongitudeDegrees>\(13 + Double(second) / 10_000)</LongitudeDegrees></Position><HeartRateBpm>\
            <Value>\(130 + second % 5)</Value></HeartRateBpm></Trackpoint>
            """
        }
        let tcx = """
            <?xml version="1.0"?><TrainingCenterDatabase \
            xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Biking"><Id>\
            \(Self.start.ISO8601Format())</Id><Lap StartTime="\(Self.start.ISO8601Format())"><Track>\(points.joined())\
            </Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        try Data(tcx.utf8).write(to: watch)
        let replaced = try await command.run("import", watch.path)
        #expect(replaced.all.contains("a less complete recording"), "\(replaced.all)")
        let list = try await command.run("list", "--json").output
        #expect(list.split(separator: "\n").count == 1)
        #expect(try labels(list)["title"] == "Named by list")
    }

    @Test func `training sessions of Polar Flow are imported`() async throws {
        defer { command.remove() }
        let rates = (0..<120).map {
            #"{"dateTime": "2026-03-01T18:\#($0 < 60 ? "00" : "01"):\#($0 % 60 < 10 ? "0" : "")\#($0 % 60).000", "value": \#(120 + $0 % 9)}"#
        }
        try write(
            "training-session-2026-03-01-12345-abcdef.json",
            """
            {"exportVersion": "1.6", "name": "Run", "startTime": "2026-03-01T18:00:00.000", "deviceId": "ABC123",
             "exercises": [{"startTime": "2026-03-01T18:00:00.000", "stopTime": "2026-03-01T18:02:00.000",
              "timezoneOffset": 60, "sport": "RUNNING", "kiloCalories": 12, "distance": 400.0,
              "samples": {"heartRate": [\(rates.joined(separator: ","))]}}]}
            """.utf8)
        try write("activity-2026-03-01-12345.json", "{\"exportVersion\":\"1.6\",\"date\":\"2026-03-01\"}".utf8)
        try write("account-data-12345.json", "{\"username\": \"x\", \"sex\": \"MALE\"}".utf8)
        let found = try await imported(zip())
        let workouts = stored(found)
        #expect(workouts.map(\.activity) == ["running"] && workouts.map(\.start) == ["2026-03-01T17:00:00.000Z"])
        #expect(workouts.first?.figures == ["HeartRate": 120, "ActiveEnergyBurned": 12, "DistanceWalkingRunning": 400])
        #expect(summary(found, "noWorkout") == 2)
    }

    @Test func `FIT files of Suunto are imported`() async throws {
        defer { command.remove() }
        for (name, source) in [("64f1a1.fit", Self.run), ("64f1a2.fit", Self.intervals)] {
            let made = try await command.run("convert", source, folder.appending(path: name).path)
            #expect(made.status == 0, "\(made.all)")
        }
        try write("64f1a1.json", "{\"DeviceLog\":{\"Header\":{\"ActivityType\":3}}}".utf8)
        try write("daily_activity.json", "[]".utf8)
        let found = try await imported(zip())
        #expect(stored(found).count == 2 && stored(found).allSatisfy { $0.activity == "running" })
        #expect(stored(found).allSatisfy { $0.figures["HeartRate"] ?? 0 > 800 })
        #expect(summary(found, "noWorkout") == 2)
    }

    @Test func `an exercise of Fitbit has the heart rates of its day, in an import and a conversion`() async throws {
        defer { command.remove() }
        let base = "Takeout/Fitbit/Global Export Data"
        try write(
            "\(base)/exercise-0.json",
            """
            [{"logId": 1, "activityName": "Yoga", "activityTypeId": 52001, "calories": 25, "duration": 600000,
              "averageHeartRate": 90, "startTime": "03/01/26 10:00:00"}]
            """.utf8)
        let bare = try #require(stored(try await imported(zip())).first)
        #expect(bare.figures["HeartRate"] == nil, "\(bare)")
        let day = (0..<8640).map { index in
            let clock = String(format: "%02d:%02d:%02d", index / 360, index / 6 % 60, index % 6 * 10)
            let rate = (3600...3660).contains(index) ? 90 : 60
            return #"{"dateTime":"03/01/26 \#(clock)","value":{"bpm":\#(rate),"confidence":3}}"#
        }
        try write("\(base)/heart_rate-2026-03-01.json", "[\(day.joined(separator: ","))]".utf8)
        let yoga = try #require(stored(try await imported(zip())).first)
        #expect(yoga.figures["HeartRate"] == 61, "\(yoga)")
        let out = command.home.appending(path: "out").path + "/"
        let outcome = try await command.run("convert", zip(), out, "--format", "csv")
        #expect(outcome.status == 0, "\(outcome.all)")
        let text = try String(contentsOfFile: out + "exercise-0.csv", encoding: .utf8)
        #expect(text.split(whereSeparator: \.isNewline).count { $0.contains(",90,") } == 61, "\(text.prefix(500))")
    }

    @Test func `a takeout of Google Health has its exercises, and no workouts of days`() async throws {
        defer { command.remove() }
        let base = "Takeout/Google Health"
        try write(
            "\(base)/Global Export Data/exercise-0.json",
            """
            [{"logId": 1, "activityName": "Run", "activityTypeId": 90009, "calories": 25, "duration": 600000,
              "averageHeartRate": 104, "distance": 1.2, "distanceUnit": "Kilometer", "hasGps": true,
              "startTime": "03/01/26 10:00:00"}]
            """.utf8)
        func table(_ name: String, _ columns: String, _ seconds: StrideTo<Int>, _ value: (Int) -> String) throws {
            let rows = seconds.map { second in
                let clock = String(format: "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60)
                return "2026-03-01T\(clock)Z,\(value(second)),Watch"
            }
            let text = "timestamp,\(columns),data source\n" + rows.joined(separator: "\n") + "\n"
            try write("\(base)/Physical Activity_GoogleData/\(name)_2026-03-01.csv", text.utf8)
        }
        try table("heart_rate", "beats per minute", stride(from: 0, to: 86_400, by: 10)) { "\(100 + $0 % 9).0" }
        try table("gps_location", "latitude,longitude,altitude", stride(from: 36_000, to: 36_601, by: 1)) {
            "\(46 + Double($0 - 36_000) * 1.8e-5),14.5,300"
        }
        try table("distance", "distance", stride(from: 0, to: 86_400, by: 60)) { "\($0 % 7).5" }
        let found = try await imported(zip())
        let run = try #require(stored(found).first)
        #expect(stored(found).count == 1 && summary(found, "noWorkout") == 3, "\(found)")
        #expect(run.activity == "running" && run.figures["HeartRate"] == 61, "\(run)")
        #expect((1190...1210).contains(run.figures["DistanceWalkingRunning"] ?? 0), "\(run)")
    }

    @Test func `an export of adidas Running has a workout for each session, not for each of its files`() async throws {
        defer { command.remove() }
        let id = "fdd2f131-ef65-4e6c-b27e-50b8ecf465d4"
        let start = 1_772_359_200_000
        try write(
            "export/Sport-sessions/\(id).json",
            """
            {"start_time":\(start),"end_time":\(start + 600_000),"start_time_timezone_offset":0,"distance":1200,
            "duration":600000,"calories":100,"id":"\(id)","sport_type_id":"1"}
            """.utf8)
        let times = stride(from: 0, through: 600, by: 2)
        let rates = times.map {
            #"{"timestamp":\#(start + $0 * 1000),"heart_rate":\#(120 + $0 % 9),"distance":\#($0 * 2)}"#
        }
        let places = times.map {
            #"{"timestamp":\#(start + $0 * 1000),"latitude":\#(46 + Double($0) * 1.8e-5),"longitude":14.5,"altitude":300,"distance":\#($0 * 2)}"#
        }
        let climbs = times.map {
            #"{"timestamp":\#(start + $0 * 1000),"elevation":300,"duration":0,"distance":\#($0 * 2)}"#
        }
        for (folder, rows) in [("Heart-rate-data", rates), ("GPS-data", places), ("Elevation-data", climbs)] {
            try write("export/Sport-sessions/\(folder)/\(id).json", "[\(rows.joined(separator: ","))]".utf8)
        }
        try write("export/Sport-sessions/GPS-data/\(id).gpx", Self.gpx(day: 0).utf8)
        let found = try await imported(zip())
        let run = try #require(stored(found).first)
        #expect(stored(found).count == 1 && summary(found, "noWorkout") == 4, "\(found)")
        #expect(run.activity == "running" && run.figures["HeartRate"] == 301, "\(run)")
        #expect(run.figures["DistanceWalkingRunning"] == 1200, "\(run)")
    }

    @Test func `an export of Samsung Health has the workouts of its list, which its series complete later`()
        async throws
    {
        defer { command.remove() }
        let base = "samsunghealth_x/"
        let list = base + "com.samsung.shealth.exercise.20260301000000.csv"
        try write(
            list,
            """
            com.samsung.shealth.exercise,6120001,3
            com.samsung.health.exercise.start_time,com.samsung.health.exercise.duration,com.samsung.health.exercise.exercise_type,com.samsung.health.exercise.distance,com.samsung.health.exercise.datauuid
            2026-03-01 10:00:00.000,600000,1002,1500,a1,

            """.utf8)
        let bare = try #require(stored(try await imported(zip())).first)
        #expect(bare.activity == "running" && bare.figures["HeartRate"] == nil, "\(bare)")
        let start = 1_772_359_200_000
        let rates = (0...600).map { #"{"heart_rate":\#(120 + $0 % 9).0,"start_time":\#(start + $0 * 1000)}"# }
        try write(
            base + "jsons/com.samsung.shealth.exercise/a/a1.com.samsung.health.exercise.live_data.json",
            "[\(rates.joined(separator: ","))]".utf8)
        // Each hour of a day would look like a workout.
        try write(
            base + "jsons/com.samsung.shealth.tracker.heart_rate/b/b.binning_data.json",
            "[\(rates.joined(separator: ","))]".utf8)
        let full = try #require(stored(try await imported(zip())).first)
        #expect(full.figures["HeartRate"] == 601, "\(full)")
        let again = try await imported(zip())
        #expect(stored(again).isEmpty && summary(again, "noWorkout") == 2, "\(again)")
        let shown = try await command.run("list", "--json")
        #expect(shown.output.split(separator: "\n").count == 1, "\(shown.output)")
    }

    @Test func `exercises and tracks of Fitbit are imported once each, and daily heart rates are not`() async throws {
        defer { command.remove() }
        let base = "Takeout/Fitbit/Global Export Data"
        try write(
            "\(base)/exercise-0.json",
            """
            [{"logId": 1, "activityName": "Run", "activityTypeId": 90009, "calories": 25, "duration": 119000,
              "steps": 300, "distance": 0.357, "distanceUnit": "Kilometer", "startTime": "03/01/26 10:00:00"},
             {"logId": 2, "activityName": "Yoga", "activityTypeId": 52001, "calories": 90, "duration": 1800000,
              "startTime": "03/05/26 07:30:00"}]
            """.utf8)
        try write("\(base)/heart_rate-2026-03-01.json", #"[{"dateTime":"03/01/26 08:00:05","value":{"bpm":65}}]"#.utf8)
        try write("\(base)/sleep-2026-03-01.json", #"[{"logId":3,"dateOfSleep":"2026-03-01"}]"#.utf8)
        try write("Takeout/Fitbit/Activities/1.tcx", Self.tcx(day: 0, sport: "Running").utf8)
        let found = try await imported(zip())
        let list = try await command.run("list", "--json")
        #expect(list.output.split(separator: "\n").count == 2, "\(list.output)")
        let yoga = stored(found).first { $0.activity == "yoga" }
        #expect(yoga?.start == "2026-03-05T07:30:00.000Z" && yoga?.seconds == 1800)
        #expect(yoga?.figures == ["ActiveEnergyBurned": 90])
        #expect(summary(found, "noWorkout") == 2 && summary(found, "unreadable") == 0)
    }

    @Test func `an exercise that two apps wrote into a list is stored once`() async throws {
        defer { command.remove() }
        func exercise(_ id: Int, _ time: String, _ more: String = "") -> String {
            """
            {"logId": \(id), "activityName": "Run", "activityTypeId": 90009, "calories": 250, "duration": 1800000,
             "averageHeartRate": 130, "startTime": "03/01/26 \(time)"\(more)}
            """
        }
        let distance = #", "distance": 5.1, "distanceUnit": "Kilometer", "steps": 4800"#
        let exercises = [exercise(1, "10:00:00"), exercise(2, "10:00:10", distance), exercise(3, "18:00:00")]
        let base = "Takeout/Fitbit/Global Export Data"
        try write("\(base)/exercise-0.json", "[\(exercises.joined(separator: ","))]".utf8)
        let day = (0..<8640).map { index in
            let clock = String(format: "%02d:%02d:%02d", index / 360, index / 6 % 60, index % 6 * 10)
            return #"{"dateTime":"03/01/26 \#(clock)","value":{"bpm":\#(120 + index % 20),"confidence":3}}"#
        }
        try write("\(base)/heart_rate-2026-03-01.json", "[\(day.joined(separator: ","))]".utf8)
        let found = try await imported(zip())
        func ids() async throws -> [Substring] {
            try await command.run("list", "--json").output.split(separator: "\n").compactMap {
                $0.firstMatch(of: /"id":"([^"]+)"/)?.1
            }
        }
        let stored = try await ids()
        #expect(stored.count == 2, "\(found)")
        let again = try await command.run("import", zip())
        #expect(again.status == 0 && again.all.contains("0 imported"), "\(again.all)")
        #expect(try await ids() == stored)
    }

    @Test(arguments: [5, 6]) func `one file with many workouts has a line for each`(count: Int) async throws {
        defer { command.remove() }
        let exercises = (1...count).map {
            """
            {"logId": \($0), "activityName": "Run", "activityTypeId": 90009, "calories": 25, "duration": 1190000,
             "startTime": "03/0\($0)/26 10:00:00"}
            """
        }
        try write("exercise-0.json", "[\(exercises.joined(separator: ","))]".utf8)
        let file = folder.appending(path: "exercise-0.json").path
        let first = try await command.run("import", file)
        #expect(first.status == 0, "\(first.all)")
        let lines = first.output.split(separator: "\n")
        #expect(lines.count { $0.contains("exercise-0.json: ") } == (count > 5 ? count : 0), "\(first.all)")
        #expect(lines.last?.contains("6 imported") == (count > 5))
        let json = try await command.run("import", file, "--json").output
        #expect(json.split(separator: "\n").count == count && !json.contains("summary"))
    }

    // MARK: The same files in other ways

    @Test func `a takeout is converted into a folder, with the data of its list`() async throws {
        defer { command.remove() }
        try write("activities/1.gpx", Self.gpx(day: 0).utf8)
        try write("more/1.gpx", Self.gpx(day: 1, type: "<type>running</type>").utf8)
        try write("activities.csv", "Activity Name,Activity Type,Filename\nx,Ride,activities/1.gpx\n".utf8)
        try write("photo.jpg", [0xFF, 0xD8])
        let out = command.home.appending(path: "out").path + "/"
        let outcome = try await command.run("convert", zip(), out, "--format", "tcx")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["1-2.tcx", "1.tcx"])
        #expect(outcome.errors.contains("2 files hold no workout of their own (1 .csv, 1 .jpg)"))
        let text = try String(contentsOfFile: out + "1.tcx", encoding: .utf8)
        #expect(text.contains("Sport=\"Biking\""))
        // The user's option wins.
        let told = command.home.appending(path: "told").path + "/"
        let second = try await command.run("convert", zip(), told, "--format", "tcx", "--activity", "running")
        #expect(second.status == 0, "\(second.all)")
        #expect(try String(contentsOfFile: told + "1.tcx", encoding: .utf8).contains("Sport=\"Running\""))
    }

    @Test func `a course on its own is rejected with a sentence`() async throws {
        defer { command.remove() }
        try write("course.fit", Self.fit(ofType: 6))
        let file = folder.appending(path: "course.fit").path
        for arguments in [["import", file], ["replay", file], ["convert", file, command.home.path + "/a.tcx"]] {
            let outcome = try await command.shell(
                "workout " + arguments.map { "'\($0)'" }.joined(separator: " "))
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("as a workout: it is a planned course"), "\(outcome.all)")
        }
    }
}
