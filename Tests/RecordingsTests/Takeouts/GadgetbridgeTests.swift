import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Databases like Gadgetbridge's exports.
struct GadgetbridgeTests {
    /// 2024-05-04 07:00 UTC.
    private static let start = 1_714_806_000

    private static let folder = "/storage/emulated/0/Android/data/nodomain.freeyourgadget.gadgetbridge/files"

    /// A walk of ten minutes with a track, strength training an hour later without one, a run for which there is the
    /// watch's FIT file, and a night. The band measures once a minute, a second device more often.
    private static let export: [String] = {
        var lines = [
            "CREATE TABLE DEVICE(_id INTEGER PRIMARY KEY, NAME TEXT NOT NULL, MANUFACTURER TEXT NOT NULL, IDENTIFIER TEXT NOT NULL)",
            "INSERT INTO DEVICE VALUES (1, 'Mi Smart Band 6', 'Huami', 'C0:FF:EE:00:00:01')",
            "INSERT INTO DEVICE VALUES (2, 'Polar H10', 'Polar', 'C0:FF:EE:00:00:02')",
            "CREATE TABLE BASE_ACTIVITY_SUMMARY(_id INTEGER PRIMARY KEY, NAME TEXT, START_TIME INTEGER NOT NULL, END_TIME INTEGER NOT NULL, ACTIVITY_KIND INTEGER NOT NULL, GPX_TRACK TEXT, RAW_DETAILS_PATH TEXT, DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER NOT NULL, SUMMARY_DATA TEXT)",
            "CREATE TABLE MI_BAND_ACTIVITY_SAMPLE(TIMESTAMP INTEGER NOT NULL, DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER, RAW_INTENSITY INTEGER, STEPS INTEGER, RAW_KIND INTEGER, HEART_RATE INTEGER, PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID",
            "CREATE TABLE POLAR_H10_ACTIVITY_SAMPLE(TIMESTAMP INTEGER NOT NULL, DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER, HEART_RATE INTEGER)",
            "CREATE TABLE HUAMI_HEART_RATE_RESTING_SAMPLE(TIMESTAMP INTEGER NOT NULL, DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER, HEART_RATE INTEGER)",
            "INSERT INTO HUAMI_HEART_RATE_RESTING_SAMPLE VALUES (\(start * 1000 + 30_000), 1, 1, 51)",
        ]
        func workout(_ from: Int, _ to: Int, _ kind: Int, _ name: String, _ values: String) {
            let times = "\((start + from) * 1000), \((start + to) * 1000)"
            lines.append("INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (NULL, \(name), \(times), \(kind), \(values))")
        }
        let summary =
            #"{"distanceMeters":{"value":900,"unit":"meters"},"caloriesBurnt":{"value":55,"unit":"calories_unit"},"steps":{"value":1100,"unit":"steps_unit"},"averageHR":{"value":101,"unit":"bpm"}}"#
        workout(
            0, 600, 0x20, "'To work'",
            "'\(folder)/gadgetbridge-track-2024-05-04T07_00_00.gpx', NULL, 1, 1, '\(summary)'")
        workout(3600, 4200, 0x20_0000, "NULL", "NULL, '\(folder)/2.bin', 1, 1, 'no JSON'")
        workout(90_000, 90_600, 0x0400_00B1, "NULL", "NULL, '\(folder)/ACTIVITY/2024/3.fit', 2, 1, NULL")
        workout(40_000, 70_000, 2, "NULL", "NULL, NULL, 1, 1, NULL")
        for minute in 0...10 {
            let rate = minute == 3 ? 255 : 100 + minute
            let second = start + minute * 60
            lines.append("INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (\(second + 7), 1, 1, 40, 110, 1, \(rate))")
            for next in 0..<3 {
                lines.append("INSERT INTO POLAR_H10_ACTIVITY_SAMPLE VALUES (\(second + next), 2, 1, 60)")
                lines.append(
                    "INSERT INTO POLAR_H10_ACTIVITY_SAMPLE VALUES (\(second + 3600 + next), 2, 1, \(90 + next))")
            }
        }
        return lines
    }()

    /// Two segments, from 60 to 240 s and from 360 to 600 s.
    private static func track(heartRate: Bool = false) -> String {
        func points(_ seconds: StrideThrough<Int>) -> String {
            seconds.map { second in
                let date = Date(timeIntervalSince1970: Double(start + second)).formatted(.iso8601)
                let pulse =
                    heartRate
                    ? "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>133</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>"
                    : ""
                return
                    #"<trkpt lat="\#(52.5 + Double(second) * 1.8e-5)" lon="13.4"><ele>40</ele><time>\#(date)</time>\#(pulse)</trkpt>"#
            }.joined()
        }
        return
            #"<gpx version="1.1" creator="Gadgetbridge" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><trkseg>"#
            + points(stride(from: 60, through: 240, by: 10)) + "</trkseg><trkseg>"
            + points(stride(from: 360, through: 600, by: 10)) + "</trkseg></trk></gpx>"
    }

    private static let trackName = "files/gadgetbridge-track-2024-05-04T07_00_00.gpx"

    private func read(
        _ statements: [String] = export, _ beside: [String: String] = [:]
    ) throws -> (recordings: [Recording], files: TakeoutFiles) {
        let database = RecordingSource(path: "database/Gadgetbridge", bytes: try TestDatabase.bytes(statements))
        var items = [(name: "backup/database/Gadgetbridge", source: database)]
        for (name, content) in beside {
            items.append((name, RecordingSource(path: name, bytes: Array(content.utf8))))
        }
        let files = TakeoutFiles(items)
        let formats = RecordingFile.formats(TableOptions(zone: .gmt), files: files)
        return (try RecordingFile.readAll(database, formats: formats), files)
    }

    @Test func `a workout has its figures, title and device, and the heart rates of its own watch`() throws {
        let recordings = try read().recordings
        #expect(recordings.map(\.file.format) == ["gadgetbridge", "gadgetbridge", "gadgetbridge"])
        let walk = recordings[0]
        #expect(walk.header?.activity == ActivityDescription(activity: "walking"))
        #expect(walk.start == TableTexts.date("2024-05-04T07:00:00Z"))
        #expect(walk.end == TableTexts.date("2024-05-04T07:10:00Z"))
        #expect(walk.labels.title == "To work" && walk.device?.name == "Huami Mi Smart Band 6" && walk.isInOrder)
        #expect(walk.values("heartRate") == [100, 101, 102, 104, 105, 106, 107, 108, 109])
        #expect(walk.values("distanceWalkingRunning").reduce(0, +) == 900)
        #expect(walk.values("activeEnergyBurned").reduce(0, +) == 55 && walk.values("stepCount").reduce(0, +) == 1100)
        #expect(recordings[1].header?.activity.activity == "traditionalStrengthTraining")
        #expect(recordings[2].device?.name == "Polar H10")
    }

    @Test func `without heart rates of its watch, a workout has those of another device`() throws {
        let strength = try read().recordings[1]
        #expect(strength.values("heartRate").count == 31 && strength.values("heartRate").prefix(4) == [90, 91, 92, 90])
    }

    @Test func `the track beside the database belongs to the workout`() throws {
        let (recordings, files) = try read(Self.export, [Self.trackName: Self.track(), "files/hike.gpx": Self.track()])
        #expect(files.holdsNoWorkout(Self.trackName) && !files.holdsNoWorkout("files/hike.gpx"))
        let walk = recordings[0]
        #expect(walk.header?.activity == ActivityDescription(activity: "walking", location: .outdoor))
        #expect(walk.positions.count == 19 + 25 && walk.labels.title == "To work")
        // Heart rates of the band before, in and after the track, but not those in its gap.
        #expect(walk.values("heartRate") == [100, 101, 102, 106, 107, 108, 109])
        let start = try #require(walk.start)
        #expect(walk.pauses.map { $0.start.timeIntervalSince(start) } == [240] && walk.pauses.map(\.duration) == [120])
        #expect(walk.file.warnings.isEmpty && walk.isInOrder)
        #expect(abs(walk.values("distanceWalkingRunning").reduce(0, +) - 900) < 1e-6)
    }

    @Test func `heart rates of the track replace those of the watch`() throws {
        let walk = try read(Self.export, [Self.trackName: Self.track(heartRate: true)]).recordings[0]
        #expect(walk.values("heartRate") == [Double](repeating: 133, count: 19 + 25))
    }

    @Test func `a damaged track gives what can be read, and a warning`() throws {
        let cut = String(Self.track().prefix(1200))
        let walk = try read(Self.export, [Self.trackName: cut]).recordings[0]
        #expect(!walk.positions.isEmpty)
        #expect(walk.file.warnings.contains { $0.message.hasPrefix("its track: ") })
    }

    @Test func `a workout whose FIT file is beside the database is left to that file`() throws {
        let (recordings, files) = try read(Self.export, ["files/ACTIVITY/2024/3.fit": "a FIT file"])
        #expect(recordings.count == 2 && !files.holdsNoWorkout("files/ACTIVITY/2024/3.fit"))
    }

    @Test func `workouts of Huawei have the heart rates of each second`() throws {
        let huawei = [
            "CREATE TABLE HUAWEI_WORKOUT_SUMMARY_SAMPLE(WORKOUT_ID INTEGER PRIMARY KEY, DEVICE_ID INTEGER)",
            "CREATE TABLE HUAWEI_WORKOUT_DATA_SAMPLE(WORKOUT_ID INTEGER, TIMESTAMP INTEGER, HEART_RATE INTEGER)",
            "INSERT INTO HUAWEI_WORKOUT_SUMMARY_SAMPLE VALUES (5, 1)",
            "INSERT INTO HUAWEI_WORKOUT_DATA_SAMPLE VALUES "
                + (0..<600).map { "(5, \(Self.start + $0), 144)" }.joined(separator: ", "),
        ]
        let walk = try read(Self.export + huawei).recordings[0]
        #expect(walk.values("heartRate") == [Double](repeating: 144, count: 600))
    }

    @Test(arguments: [
        (0, nil), (1, nil), (-1, nil), (0x10, "running"), (0x0400_000A, "swimming"), (0x0400_00D9, "cycling"),
        (0x0400_00E2, "hiking"), (0x0400_00C1, nil), (Int.max, nil), (Int.min, nil),
    ])
    func `the kind decides the activity`(kind: Int, activity: String?) throws {
        let statements = Self.export + ["UPDATE BASE_ACTIVITY_SUMMARY SET ACTIVITY_KIND = \(kind)"]
        #expect(try read(statements).recordings[0].header?.activity.activity == activity ?? "other")
    }

    @Test func `a workout keeps its ID in later exports, and gets another with its track`() throws {
        let first = try read().recordings[0].file.ownID
        let later = "UPDATE BASE_ACTIVITY_SUMMARY SET _id = _id + 100"
        #expect(try read(Self.export + [later]).recordings[0].file.ownID == first)
        #expect(try read(Self.export, [Self.trackName: Self.track()]).recordings[0].file.ownID != first)
    }

    @Test func `an older export without summaries, names and devices is read`() throws {
        let older =
            Self.export + [
                "DROP TABLE DEVICE", "ALTER TABLE BASE_ACTIVITY_SUMMARY DROP COLUMN SUMMARY_DATA",
                "ALTER TABLE BASE_ACTIVITY_SUMMARY DROP COLUMN NAME",
            ]
        let walk = try read(older).recordings[0]
        #expect(walk.values("heartRate").count == 9 && walk.device?.name == "Gadgetbridge")
    }

    @Test func `impossible rows and an export without workouts do not trap`() throws {
        let odd =
            Self.export + [
                "INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (10, NULL, 9e18, 9.1e18, 16, NULL, NULL, 1, 1, NULL)",
                "INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (11, NULL, 5, 4, 16, '', '///', 1, 1, '[]')",
                "INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (12, 'x', 'x', 'y', 'z', 'a', 'b', 'c', 'd', 'e')",
                "INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (9223372036854775807, 1, 1, 1, 1, 1, 100), ('x', 1, 1, 1, 1, 1, 'y')",
                #"CREATE TABLE "odd'; name_SAMPLE"(TIMESTAMP, DEVICE_ID, HEART_RATE)"#,
            ]
        #expect(try read(odd).recordings.count == 3)
        let empty = try read(Self.export + ["DELETE FROM BASE_ACTIVITY_SUMMARY"]).recordings
        #expect(empty.map(\.file.warnings).joined().map(\.message) == ["the database holds no workout"])
    }

    @Test func `a truncated or damaged database gives workouts or an error`() throws {
        let bytes = try TestDatabase.bytes(Self.export)
        func read(_ bytes: [UInt8]) {
            let source = RecordingSource(path: "Gadgetbridge", bytes: bytes)
            _ = TakeoutFiles([(name: "Gadgetbridge", source: source)])
            for recording in (try? RecordingFile.readAll(source)) ?? [] { for _ in recording.entries {} }
        }
        for count in stride(from: 16, to: bytes.count, by: 1024 + 7) { read(Array(bytes[..<count])) }
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var damaged = bytes
            for _ in 0..<20 {
                damaged[Int.random(in: 16..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            read(damaged)
        }
    }
}
