import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FitbitFormatTests {
    /// As in a takeout, without members that are not read.
    static let exercises = """
        [{
          "logId" : 29294545, "activityName" : "Walk", "activityTypeId" : 90013, "averageHeartRate" : 101,
          "calories" : 114, "duration" : 1280000, "activeDuration" : 1270000, "steps" : 1917,
          "logType" : "auto_detected", "lastModified" : "01/29/20 17:29:42", "startTime" : "01/29/20 16:55:30",
          "hasGps" : false, "shouldFetchDetails" : false
        },{
          "logId" : 29294546, "activityName" : "Outdoor Bike", "activityTypeId" : 90001, "calories" : 200,
          "duration" : 3600000, "activeDuration" : 3600000, "distance" : 20.5, "distanceUnit" : "Kilometer",
          "source" : {"type" : "tracker", "name" : "Charge 4", "id" : "1"},
          "startTime" : "01/28/20 08:00:00", "hasGps" : true
        }]
        """

    private func read(_ text: String) throws(RecordingError) -> [Recording] {
        try RecordingFile.readAll(RecordingSource(path: "exercise-0.json", bytes: Array(text.utf8)))
    }

    @Test func `each exercise of a list is a workout, in order of time`() throws {
        let recordings = try read(Self.exercises)
        #expect(recordings.map(\.file.format) == ["fitbit", "fitbit"])
        #expect(recordings.map { $0.header?.activity.activity } == ["cycling", "walking"])
        #expect(recordings.map(\.facts.seconds) == [3600, 1280])
        #expect(recordings[0].start == TableTexts.date("2020-01-28T08:00:00Z"))
        #expect(recordings[1].start == TableTexts.date("2020-01-29T16:55:30Z"))
        #expect(recordings[0].values("distanceCycling") == [20_500])
        #expect(recordings[1].values("stepCount") == [1917] && recordings[1].values("activeEnergyBurned") == [114])
        // An average is no reading.
        #expect(recordings[1].values("heartRate").isEmpty)
        #expect(recordings.map(\.file.workout) == [1, 2])
        #expect(recordings.allSatisfy { $0.isInOrder })
    }

    @Test func `lists of other things are not taken for exercises`() {
        for text in [
            #"[{"dateTime":"01/01/20 08:00:05","value":{"bpm":65,"confidence":2}}]"#,
            #"[{"logId":1431993599000,"weight":191.8,"bmi":27.77,"date":"05/18/15","time":"23:59:59"}]"#,
            #"[{"logId":26589710670,"dateOfSleep":"2020-03-27","startTime":"2020-03-26T23:00:30.000"}]"#,
        ] {
            #expect(!FitbitFormat().recognizes(FileStart(Array(text.utf8))), "\(text)")
        }
    }

    @Test func `an exercise without a time and a truncated list are reported`() throws {
        let timeless = try read(#"[{"logId":1,"activityName":"Run","startTime":"99/99/20 25:00:00","duration":1000}]"#)
        #expect(timeless.count == 1 && timeless[0].facts.start == nil)
        #expect(timeless[0].file.warnings.map(\.message) == ["exercise 1 has no date or no duration"])
        #expect(
            try read(#"[{"logId":1,"activityName":"Run","startTime":"01/01/20 00:00:00","duration":-4}]"#)[0].facts
                .start == nil)
        for count in stride(from: 40, to: Self.exercises.utf8.count - 2, by: 11) {
            #expect(throws: RecordingError.self) {
                try read(String(decoding: Array(Self.exercises.utf8.prefix(count)), as: UTF8.self))
            }
        }
    }

    /// The table in accounts without a list: the same walk, and a swim that the user logged.
    static let table = """
        exercise_id,exercise_start,exercise_end,utc_offset,exercise_created,exercise_last_updated,activity_name,log_type,pool_length,pool_length_unit,intervals,distance_units,tracker_total_calories,tracker_total_steps,tracker_total_distance_mm,tracker_total_altitude_mm,tracker_avg_heart_rate,tracker_peak_heart_rate,manually_logged_total_calories,manually_logged_total_steps,manually_logged_total_distance_mm,events\r
        29294546,2020-01-30T07:00:00Z,2020-01-30T07:30:00Z,+05:30,2020-01-30T08:00:00Z,2020-01-30T08:00:00Z,"Swimming, pool",MANUAL,,,,METRIC,0,0,0,0,0,0,250,0,1000000,\r
        29294545,2020-01-29T16:55:30Z,2020-01-29T17:16:50Z,+01:00,2020-01-29T17:29:42Z,2020-01-29T17:29:42Z,Walk,TRACKER,,,"[]",METRIC,114,1917,1650000,3000,101,120,,,,"[{""a"": 1}]"\r

        """

    @Test func `each exercise of the table is a workout with its time zone`() throws {
        let recordings = try read(Self.table)
        #expect(recordings.map(\.file.format) == ["fitbit", "fitbit"])
        let (walk, swim) = (recordings[0], recordings[1])
        #expect(walk.header?.activity.activity == "walking" && walk.timeZone == "GMT+0100")
        #expect(walk.start == TableTexts.date("2020-01-29T16:55:30Z") && walk.facts.seconds == 1280)
        #expect(walk.values("distanceWalkingRunning") == [1650] && walk.values("stepCount") == [1917])
        #expect(walk.values("activeEnergyBurned") == [114])
        #expect(swim.header?.activity == ActivityDescription(activity: "swimming", swimmingLocation: .pool))
        #expect(swim.values("distanceSwimming") == [1000] && swim.values("activeEnergyBurned") == [250])
        #expect(swim.timeZone == "GMT+0530" && swim.values("stepCount").isEmpty)
        // The list and the table of an account give one workout.
        #expect(try walk.file.ownID == read(Self.exercises)[1].file.ownID)
    }

    @Test func `rows without a time and cut tables are reported`() throws {
        let timeless = try read(String(Self.table.prefix { !$0.isNewline }) + "\n7,never,never,,,,Run\n")
        #expect(timeless[0].file.warnings.map(\.message) == ["exercise 7 has no date or no duration"])
        for count in stride(from: 40, to: Self.table.utf8.count, by: 11) {
            _ = try read(String(decoding: Array(Self.table.utf8.prefix(count)), as: UTF8.self))
        }
    }

    // MARK: Heart rates of whole days

    /// A day with a heart rate every 10 s: 101 bpm during the walk of ``exercises``, and 60 before and after.
    private static func day(_ name: String = "2020-01-29", shiftedBy shift: Int = 0) -> (name: String, text: String) {
        let walk = 16 * 3600 + 55 * 60 + 30 + shift
        let entries = stride(from: 0, to: 86_400, by: 10).map { second in
            let clock = String(format: "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60)
            let rate = (walk...walk + 1280).contains(second) ? 101 : 60
            return #"{"dateTime" : "01/29/20 \#(clock)", "value" : {"bpm" : \#(rate), "confidence" : 2}}"#
        }
        return ("Takeout/Fitbit/heart_rate-\(name).json", "[\(entries.joined(separator: ","))]")
    }

    private func walk(
        _ files: [(name: String, text: String)], zone: Int = 0, in list: String = exercises
    ) throws -> Recording {
        let sources = files.map { ($0.name, RecordingSource(path: $0.name, bytes: Array($0.text.utf8))) }
        let tables = TableOptions(zone: try #require(TimeZone(secondsFromGMT: zone)))
        let list = RecordingSource(path: "exercise-0.json", bytes: Array(list.utf8))
        return try RecordingFile.readAll(
            list, formats: RecordingFile.formats(tables, files: TakeoutFiles(sources)))[1]
    }

    @Test(arguments: [(0, 0), (0, 3600), (3600, 3600), (-3600, 3600), (-18_000, -18_000), (18_000, -18_000)])
    func `the heart rates of an exercise are those with its average, whatever the clock`(
        shift: Int, zone: Int
    ) throws {
        let walk = try walk([Self.day(shiftedBy: shift)], zone: zone)
        #expect(walk.values("heartRate") == [Double](repeating: 101, count: 129))
        #expect(walk.file.heartRate.count == 129 && walk.isInOrder)
        let first = walk.entries.first { if case .quantity = $0.content { true } else { false } }
        #expect(first?.date == TableTexts.date("2020-01-29T16:55:30Z"))
    }

    @Test func `heart rates with another average, of another day or of a tracker in a drawer do not count`() throws {
        #expect(try walk([Self.day(shiftedBy: 1800)]).values("heartRate").isEmpty)
        #expect(try walk([Self.day("2020-01-28")]).values("heartRate").isEmpty)
        #expect(try walk([]).values("heartRate").isEmpty)
        let (name, text) = Self.day()
        let idle = text.replacing(#""confidence" : 2"#, with: #""confidence" : 0"#)
        #expect(try walk([(name, idle)]).values("heartRate").isEmpty)
        let bare = text.replacing(#", "confidence" : 2"#, with: "")
        #expect(try walk([(name, bare)]).values("heartRate").count == 129)
        for count in [0, 1, 40, text.utf8.count / 2, text.utf8.count - 1] {
            #expect(try walk([(name, String(text.prefix(count)))]).values("heartRate").isEmpty)
        }
    }

    @Test func `only files of days are heart rates of days`() {
        let source = RecordingSource(path: "a", bytes: [])
        for name in ["heart_rate.json", "a/heart_rate-2020.json", "resting_heart_rate-2020-01-29.json", ""] {
            #expect(FitbitHeartRates([(name, source)]) == nil, "\(name)")
        }
        #expect(FitbitHeartRates([("a/heart_rate-2020-01-29.json", source)]) != nil)
    }

    // MARK: Tables of days

    private static let folder = "Takeout/Google Health/Physical Activity_GoogleData/"

    /// A table with a row every few seconds, from noon of one day until noon two days later.
    private static func table(
        _ name: String, _ columns: String, every seconds: Int, device: String = "Watch", _ value: (Int) -> String
    ) -> (name: String, text: String) {
        let noon = 1_580_212_800
        let rows = stride(from: noon, to: noon + 172_800, by: seconds).map { second in
            let date = Date(timeIntervalSince1970: Double(second)).ISO8601Format()
            return "\(date),\(value(second)),\(device)"
        }
        return (folder + name, "timestamp,\(columns),data source\n" + rows.joined(separator: "\n") + "\n")
    }

    @Test func `an exercise has the heart rates and positions of tables, whatever the time zone`() throws {
        // The walk is on the day after the first day of the table, and states an average of 101.
        let rates = Self.table("heart_rate_2020-01-28.csv", "beats per minute", every: 5) { "\($0 % 7 + 90).0" }
        let places = Self.table("gps_location_2020-01-28.csv", "latitude,longitude,altitude", every: 1) {
            "\(46 + Double($0 % 100_000) * 1e-5),14.5,\($0 % 3 == 0 ? "" : "300.5")"
        }
        let list = Self.exercises.replacing(#""hasGps" : false"#, with: #""hasGps" : true"#)
        let walk = try walk([rates, places], zone: 3600, in: list)
        #expect(walk.values("heartRate").count == 257 && walk.isInOrder)
        #expect(walk.positions.count == 1281 && walk.positions.contains { $0.altitudeInMeters == nil })
        #expect(walk.header?.activity == ActivityDescription(activity: "walking", location: .outdoor))
        #expect(walk.values("distanceWalkingRunning").reduce(0, +) > 1200)
        #expect(walk.values("stepCount") == [1917])
        // The positions of a phone at home don't belong to the exercise.
        #expect(try self.walk([rates, places]).positions.isEmpty)
    }

    @Test func `a table that a takeout holds twice counts once`() throws {
        let rates = Self.table("heart_rate_2020-01-28.csv", "beats per minute", every: 5) { _ in "100" }
        let copy = ("Takeout/Google Health/Heart Rate/heart_rate_2020-01-28.csv", rates.text)
        #expect(try walk([rates, copy]).values("heartRate").count == 257)
        #expect(try walk([copy]).values("heartRate").count == 257)
    }

    @Test func `the device with the most readings counts, and other tables do not`() throws {
        let watch = Self.table("heart_rate_2020-01-28.csv", "beats per minute", every: 5) { _ in "100" }
        let phone = Self.table("", "beats per minute", every: 20, device: "Phone") { _ in "50" }
        let both = (watch.name, watch.text + phone.text.split(separator: "\n").dropFirst().joined(separator: "\n"))
        #expect(try walk([both]).values("heartRate") == [Double](repeating: 100, count: 257))
        for name in [
            "heart_rate_variability_2020-01-28.csv", "daily_resting_heart_rate.csv", "heart_rate_2020-01-30.csv",
            "heart_rate_2020-01-28.txt",
        ] {
            #expect(try walk([(Self.folder + name, watch.text)]).values("heartRate").isEmpty, "\(name)")
        }
        for count in [0, 1, 40, 90] {
            #expect(try walk([(watch.name, String(watch.text.prefix(count)))]).values("heartRate").isEmpty)
        }
        let resting = Self.table("heart_rate_2020-01-28.csv", "beats per minute", every: 5) { _ in "60" }
        #expect(try walk([resting]).values("heartRate").isEmpty)
        let damaged = watch.text.replacing("beats per minute", with: "bpm")
        #expect(try walk([(watch.name, damaged)]).values("heartRate").isEmpty)
    }
}
