import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Lists of exercises and their series, like those in Samsung Health's exports.
struct SamsungFormatTests {
    private static let run = "185e928e-af99-46fd-9dad-35f114d5b32d"
    private static let folder = "samsunghealth_x/jsons/com.samsung.shealth.exercise/1/"
    /// 2024-01-15 08:00 UTC.
    private static let start = 1_705_305_600_000

    private static let names = [
        "total_calorie", "duration", "start_time", "exercise_type", "mean_heart_rate", "distance", "calorie",
        "time_offset", "comment", "count", "count_type", "live_data", "location_data", "end_time", "datauuid", "title",
    ]

    /// The list with a run, and with yoga on the day before. Rows end with one comma more than the header, as in
    /// exports.
    private static func list(
        _ changes: [String: String] = [:], prefix: String = "com.samsung.health.exercise."
    ) -> String {
        var run = [
            "total_calorie": "350", "duration": "540000", "start_time": "2024-01-15 08:00:00.000",
            "exercise_type": "1002", "mean_heart_rate": "139", "distance": "1500.5", "calorie": "310.5",
            "time_offset": "UTC+0100", "comment": "Cold, windy", "end_time": "2024-01-15 08:10:00.000",
            "live_data": "\(self.run).com.samsung.health.exercise.live_data.json",
            "location_data": "\(self.run).com.samsung.health.exercise.location_data.json", "datauuid": self.run,
        ]
        run.merge(changes) { $1 }
        let yoga = [
            "duration": "1800000", "start_time": "2024-01-14 09:00:00.000", "exercise_type": "9002.0",
            "count": "12", "count_type": "30001",
            "calorie": "100.0", "end_time": "2024-01-14 09:30:00.000", "title": "Morning", "datauuid": "b",
        ]
        let rows = [run, yoga].map { row in
            names.map { name in
                row[name].map { $0.contains(",") ? "\"\($0)\"" : $0 } ?? ""
            }.joined(separator: ",") + ",\r\n"
        }
        let header = names.map { ["title", "total_calorie"].contains($0) ? $0 : prefix + $0 }
        return "com.samsung.shealth.exercise,6120001,3\r\n\(header.joined(separator: ","))\r\n\(rows.joined())"
    }

    /// Heart rates each second, distances every ten, positions every two, and a pause of a minute after five.
    private static let files: [(name: String, text: String)] = {
        let seconds = (0...600).filter { !(301..<360).contains($0) }
        let live = seconds.flatMap { second -> [String] in
            let time = start + second * 1000
            let rate = #"{"heart_rate":\#(120 + second % 40).0,"start_time":\#(time)}"#
            guard second % 10 == 0, second > 0 else { return [rate] }
            return [
                rate,
                #"{"cadence":160.0,"calorie":5.5,"distance":\#(second % 20 == 0 ? 20 : 30).0,"percent_of_vo2max":60,"speed":2.5,"start_time":\#(time)}"#,
            ]
        }
        let places = seconds.filter { $0 % 2 == 0 }.map { second in
            #"{"latitude":\#(52.5 + Double(second) * 2.3e-5),"longitude":13.4,"altitude":40.5,"accuracy":6.0,"start_time":\#(start + second * 1000)}"#
        }
        return [
            ("\(folder)\(run).com.samsung.health.exercise.live_data.json", "[\(live.joined(separator: ","))]"),
            ("\(folder)\(run).com.samsung.health.exercise.location_data.json", "[\(places.joined(separator: ","))]"),
        ]
    }()

    private func read(
        _ list: String = list(), _ files: [(name: String, text: String)] = files
    ) throws(RecordingError) -> [Recording] {
        let sources = files.map { ($0.name, RecordingSource(path: $0.name, bytes: Array($0.text.utf8))) }
        let formats = RecordingFile.formats(TableOptions(zone: .gmt), files: TakeoutFiles(sources))
        return try RecordingFile.readAll(RecordingSource(path: "list.csv", bytes: Array(list.utf8)), formats: formats)
    }

    @Test func `an exercise has its figures, heart rates, distances, positions and pauses`() throws {
        let recordings = try read()
        #expect(recordings.map(\.file.format) == ["samsung", "samsung"] && recordings.map(\.file.workout) == [1, 2])
        let run = recordings[1]
        #expect(run.header?.activity == ActivityDescription(activity: "running", location: .outdoor))
        #expect(run.start == TableTexts.date("2024-01-15T08:00:00Z"))
        #expect(run.facts.seconds == 600 && run.isInOrder)
        #expect(run.pauses.map(\.duration) == [60])
        #expect(run.values("heartRate").count == 542 && run.values("heartRate").first == 120)
        #expect(run.values("distanceWalkingRunning").reduce(0, +) == 1370)
        #expect(run.values("activeEnergyBurned").reduce(0, +).rounded() == 311)
        #expect(run.positions.count == 272 && run.positions[0].horizontalAccuracyInMeters == 6)
        #expect(run.values("runningSpeed").allSatisfy { $0 == 2.5 })
        #expect(run.values("cadence").allSatisfy { $0 == 80 } && !run.values("cadence").isEmpty)
        #expect(run.labels.notes == "Cold, windy" && run.timeZone == "GMT+0100" && recordings[0].timeZone == nil)
        #expect(run.device?.name == "Samsung Health")
        #expect(run.file.leftOut == ["the percentage of VO2 max"])
    }

    @Test func `an exercise without series has its figures`() throws {
        let yoga = try read()[0]
        #expect(yoga.header?.activity.activity == "yoga" && yoga.facts.seconds == 1800)
        #expect(yoga.start == TableTexts.date("2024-01-14T09:00:00Z"))
        #expect(yoga.values("stepCount") == [12])
        #expect(yoga.values("activeEnergyBurned") == [100] && yoga.labels.title == "Morning")
        #expect(yoga.file.warnings.isEmpty)
    }

    @Test func `series that are missing or damaged are reported, and the figures stay`() throws {
        let bare = try read(Self.list(), [])[1]
        #expect(bare.file.warnings.map(\.message).count { $0.hasPrefix("the export lacks \(Self.run)") } == 2)
        #expect(bare.values("distanceWalkingRunning").reduce(0, +) == 1500.5 && bare.facts.seconds == 600)
        for count in [0, 1, 100, Self.files[0].text.utf8.count - 1] {
            let cut = (Self.files[0].name, String(Self.files[0].text.prefix(count)))
            let run = try read(Self.list(), [cut, Self.files[1]])[1]
            #expect(run.file.warnings.contains { $0.message.contains("live_data.json cannot be read") }, "\(count)")
            #expect(run.values("heartRate").isEmpty && run.positions.count == 272)
        }
    }

    @Test(arguments: [("UTC+0100", "09"), ("UTC-0530", "02"), ("UTC+0000", "08")])
    func `a list in local time has the times of its series`(offset: String, hour: String) throws {
        let minutes = offset.hasSuffix("30") ? (":30", ":40") : (":00", ":10")
        let local = Self.list([
            "time_offset": offset, "start_time": "2024-01-15 \(hour)\(minutes.0):00.000",
            "end_time": "2024-01-15 \(hour)\(minutes.1):00.000",
        ])
        let run = try read(local)[1]
        #expect(run.start == TableTexts.date("2024-01-15T08:00:00Z") && run.pauses.map(\.duration) == [60])
    }

    @Test func `columns without prefixes, times in milliseconds and series by ID are read`() throws {
        let old = Self.list(
            [
                "live_data": "", "location_data": "", "start_time": "\(Self.start)",
                "end_time": "\(Self.start + 600_000)",
            ],
            prefix: ""
        ).replacing("com.samsung.shealth.exercise,", with: "com.samsung.health.exercise,")
        let run = try read(old)[1]
        #expect(run.values("heartRate").count == 542 && run.pauses.map(\.duration) == [60])
    }

    @Test(arguments: [
        ("1001", "walking"), ("11007", "cycling"), ("6004", "tableTennis"), ("10006", "coreTraining"),
        ("10008", "functionalStrengthTraining"), ("10026", "traditionalStrengthTraining"), ("15005", "running"),
        ("0", "other"), ("99999", "other"), ("", "other"), ("1e400", "other"),
    ])
    func `types are activities`(type: String, activity: String) throws {
        let recording = try read(Self.list(["exercise_type": type]), [])[1]
        #expect(recording.header?.activity.activity == activity)
        #expect(recording.header?.activity.location == (type == "15005" ? .indoor : .unknown))
    }

    @Test func `an exercise has the same ID in a longer list, and another one with its series`() throws {
        let ids = try read().map(\.file.ownID)
        let longer = Self.list() + Self.list().split(separator: "\r\n").dropFirst(2)[2].replacing(Self.run, with: "new")
        #expect(try read(longer).compactMap(\.file.ownID).count == 3)
        #expect(try Set(ids).isSubset(of: read(longer).map(\.file.ownID)))
        let bare = try read(Self.list(), []).map(\.file.ownID)
        #expect(bare[0] == ids[0] && bare[1] != ids[1])
    }

    @Test func `rows without a start or a duration are counted`() throws {
        let broken = try read(Self.list(["start_time": "yesterday"]), [])
        #expect(
            broken.count == 1 && broken[0].file.warnings.map(\.message) == ["rows without a start or a duration: 1"])
        let empty = try read(Self.list().split(separator: "\r\n").prefix(2).joined(separator: "\r\n"), [])
        #expect(empty.count == 1 && empty[0].facts.start == nil && !empty[0].file.warnings.isEmpty)
        for time in ["1e17", "1e300", "inf", "nan", "-1e300"] {
            #expect(try read(Self.list(["start_time": time, "end_time": time]), []).count == 1, "\(time)")
            #expect(try read(Self.list(["end_time": time]), []).count <= 2, "\(time)")
        }
        for duration in ["-5", "1e300", "nan"] {
            let changes = ["duration": duration, "end_time": ""]
            #expect(try read(Self.list(changes), []).compactMap(\.facts.start).count == 1, "\(duration)")
        }
    }

    @Test func `a list truncated at any byte, and wrong bytes, give exercises or an error`() throws {
        let bytes = Array(Self.list().utf8)
        var random = SeededGenerator(seed: 7)
        for count in bytes.indices {
            for changed in [false, true] {
                var part = Array(bytes[..<count])
                if changed, count > 0 {
                    part[Int.random(in: 0..<count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let source = RecordingSource(path: "list.csv", bytes: part)
                guard let read = try? RecordingFile.readAll(source, formats: [SamsungFormat()]) else { continue }
                #expect(read.count <= 2)
                for recording in read { #expect(recording.isInOrder) }
            }
        }
    }
}
