import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Lists and days like those in exports of Mi Fitness and Zepp.
struct XiaomiFormatTests {
    /// 2024-05-04 07:00 UTC.
    private static let start = 1_714_806_000

    /// A run of ten minutes with a pause, and badminton with few details.
    private static let miFitness: String = {
        func row(_ key: String, _ category: String, _ json: String) -> String {
            "1,2,\(key),\(start),\(category),\"\(json.replacingOccurrences(of: "\"", with: "\"\""))\",\(start + 999)"
        }
        return [
            "Uid,Sid,Key,Time,Category,Value,UpdateTime",
            row("badminton", "sport", #"{"start_time":\#(start + 86_400),"duration":1800,"sport_type":100}"#),
            row(
                "outdoor_running", "running",
                #"{"time":\#(start),"start_time":\#(start),"end_time":\#(start + 600),"duration":540,"sport_type":1,"distance":1620,"calories":101,"steps":1500,"avg_hrm":135,"name":"a, b","none":""}"#
            ),
        ].joined(separator: "\n")
    }()

    /// Heart rates once a minute, with those of other days between them.
    private static let miFitnessDays: String = {
        var lines = ["Uid,Sid,Key,Time,Value,UpdateTime"]
        for minute in 0..<20 {
            let time = start + minute * 60
            lines.append(#"1,2,heart_rate,\#(time),"{""time"":\#(time),""bpm"":\#(130 + minute)}",\#(time)"#)
            lines.append(#"1,2,steps,\#(time),"{""time"":\#(time),""steps"":30,""distance"":20}",\#(time)"#)
        }
        lines.append(#"1,2,heart_rate,\#(start + 30),"{""time"":\#(start + 30),""bpm"":0}",\#(start)"#)
        return lines.joined(separator: "\n")
    }()

    private static let zepp = """
        type,startTime,sportTime(s),maxPace(/meter),minPace(/meter),distance(m),avgPace(/meter),calories(kcal)\r
        1,2024-05-04 07:00:00+0000,600,0.0,0.25,1620.0,0.37,101.0\r
        999,2024-05-05 07:00:00+0000,1800,-1.0,-1.0,-1.0,-1.0,200.0\r
        1,never,1800,-1.0,-1.0,-1.0,-1.0,200.0\r

        """

    private func read(
        _ list: String, _ beside: [(name: String, content: String)] = [], zone: String = "GMT"
    ) throws -> [Recording] {
        let files = TakeoutFiles(
            beside.map { ($0.name, RecordingSource(path: $0.name, bytes: Array($0.content.utf8))) })
        let tables = TableOptions(zone: try #require(TimeZone(identifier: zone)))
        return try RecordingFile.readAll(
            RecordingSource(path: "list.csv", bytes: Array(list.utf8)),
            formats: RecordingFile.formats(tables, files: files))
    }

    @Test func `an exercise of Mi Fitness has its figures and the heart rates of its time`() throws {
        let days = [("20240601_1_MiFitness_hlth_center_fitness_data.csv", Self.miFitnessDays)]
        let recordings = try read(Self.miFitness, days)
        #expect(recordings.map(\.file.format) == ["xiaomi", "xiaomi"])
        let run = recordings[0]
        #expect(run.header?.activity == ActivityDescription(activity: "running"))
        #expect(run.start == TableTexts.date("2024-05-04T07:00:00Z"))
        #expect(run.end == TableTexts.date("2024-05-04T07:10:00Z"))
        #expect(run.values("heartRate") == (0...10).map { Double(130 + $0) })
        #expect(run.values("distanceWalkingRunning").reduce(0, +) == 1620)
        #expect(run.values("activeEnergyBurned").reduce(0, +) == 101 && run.values("stepCount").reduce(0, +) == 1500)
        #expect(run.pauses.reduce(0) { $0 + $1.duration } == 60 && run.device?.name == "Mi Fitness" && run.isInOrder)
        #expect(recordings[1].header?.activity.activity == "badminton" && recordings[1].values("heartRate").isEmpty)
    }

    @Test func `objects without quotes are read`() throws {
        let plain = Self.miFitness.replacingOccurrences(of: "\"\"", with: "\u{0}")
            .replacingOccurrences(of: "\"", with: "").replacingOccurrences(of: "\u{0}", with: "\"")
        #expect(try read(plain).map(\.start) == read(Self.miFitness).map(\.start))
    }

    /// The list states UTC; the days state no time zone.
    @Test(arguments: [("GMT", 0), ("Europe/Berlin", 2), ("America/New_York", -4)])
    func `an exercise of Zepp has the heart rates of its time on the band's clock`(zone: String, hours: Int) throws {
        let midnight = Date(timeIntervalSince1970: Double(Self.start - 7 * 3600))
        let rows = (0..<1440).map { minute in
            let clock = String(format: "%02d:%02d", minute / 60, minute % 60)
            return "2024-05-04,\(clock),\(minute / 60 * 5 + 40)"
        }
        let days = [("HEARTRATE_AUTO/HEARTRATE_AUTO_17.csv", "date,time,heartRate\n" + rows.joined(separator: "\n"))]
        let recordings = try read(Self.zepp, days, zone: zone)
        let run = recordings[0]
        #expect(run.start == midnight + 7 * 3600)
        #expect(run.end == midnight + 7 * 3600 + 600)
        #expect(run.values("heartRate") == [Double](repeating: Double((7 + hours) * 5 + 40), count: 11))
        #expect(run.values("distanceWalkingRunning").reduce(0, +) == 1620 && run.device?.name == "Zepp")
        #expect(
            run.file.warnings.map(\.message) == [
                "its heart rates have no time zone; \(zone) was assumed", "rows without a start or a duration: 1",
            ])
        #expect(recordings.count == 2 && recordings[1].header?.activity.activity == "other")
        #expect(recordings[1].values("distanceWalkingRunning").isEmpty && recordings[1].file.warnings.isEmpty)
    }

    @Test func `heart rates that were measured by hand state UTC`() throws {
        let days = [("HEARTRATE_17.csv", "time,heartRate\n2024-05-04 07:03:00+0000,141\n")]
        let run = try read(Self.zepp, days, zone: "Asia/Tokyo")[0]
        #expect(run.values("heartRate") == [141])
        #expect(run.file.warnings.map(\.message) == ["rows without a start or a duration: 1"])
    }

    @Test(arguments: [
        ("outdoor_riding", "cycling"), ("horse_riding", "equestrianSports"), ("pool_swimming", "swimming"),
        ("free_training", "other"), ("table_tennis", "tableTennis"), ("rope_skipping", "jumpRope"),
        ("treadmill", "running"),
    ])
    func `the key names the activity`(key: String, activity: String) throws {
        let list = Self.miFitness.replacingOccurrences(of: "outdoor_running", with: key)
        #expect(try read(list)[0].header?.activity.activity == activity)
    }

    @Test(arguments: [
        ("x/20240601_1_MiFitness_hlth_center_fitness_data.csv", true),
        ("20240601_1_MiFitness_hlth_center_aggregated_fitness_data.csv", true),
        ("20240601_1_MiFitness_hlth_center_sport_record.csv", false), ("SLEEP_MINUTE/SLEEP_MINUTE_17.csv", true),
        ("HEARTRATE_AUTO_17.csv", true), ("ACTIVITY_17.csv", true), ("SPORT/SPORT_17.csv", false),
        ("activity_17.csv", false), ("SLEEP.csv", false),
    ])
    func `days hold no workout`(name: String, isNone: Bool) {
        #expect(TakeoutFiles([]).holdsNoWorkout(name) == isNone)
    }

    @Test func `an exercise keeps its ID in later exports, and gets another with heart rates`() throws {
        let days = [("hlth_center_fitness_data.csv", Self.miFitnessDays)]
        let ids = try [read(Self.miFitness), read(Self.miFitness + "\n"), read(Self.miFitness, days)].map {
            $0[0].file.ownID
        }
        #expect(ids[0] != nil && ids[0] == ids[1] && ids[0] != ids[2])
    }

    @Test func `cut and odd lists do not trap`() throws {
        for list in [Self.miFitness, Self.zepp] {
            for count in stride(from: 60, to: list.utf8.count, by: 7) {
                _ = try? read(String(decoding: Array(list.utf8)[..<count], as: UTF8.self))
            }
        }
        let odd = "Uid,Sid,Key,Time,Category,Value,UpdateTime\n"
        for value in ["9e300", "-1", "null", "\"x\"", "1e18"] {
            let row =
                #"1,2,run,3,x,{"start_time":\#(value),"duration":\#(value),"end_time":\#(value),"sport_type":1},4"#
            let recordings = try read(odd + row)
            #expect(
                recordings.map(\.file.warnings).joined().map(\.message) == ["rows without a start or a duration: 1"])
        }
        let days = [
            ("hlth_center_fitness_data.csv", "a\nheart_rate \"time\":,\"bpm\":\nheart_rate \"time\"\u{0}"),
            ("HEARTRATE_AUTO_1.csv", ",,\n2024-05-04,25:99,1\nx,y,z\n1"),
        ]
        #expect(try read(Self.miFitness, days)[0].values("heartRate").isEmpty)
    }
}
