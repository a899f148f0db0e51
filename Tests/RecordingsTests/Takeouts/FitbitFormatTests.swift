import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FitbitFormatTests {
    /// As a takeout has it, but for what is not read.
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

    private func walk(_ files: [(name: String, text: String)], zone: Int = 0) throws -> Recording {
        let sources = files.map { ($0.name, RecordingSource(path: $0.name, bytes: Array($0.text.utf8))) }
        let tables = TableOptions(zone: try #require(TimeZone(secondsFromGMT: zone)))
        let list = RecordingSource(path: "exercise-0.json", bytes: Array(Self.exercises.utf8))
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
}
