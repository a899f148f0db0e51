import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Readings while a device's timer was stopped, and after the last lap, in files that we write.
struct PauseReadingTests {
    /// A run of 60 s with a pause from 20 to 40 s during which the device continued to record, and 20 s of records
    /// after its end. Its lap ends half a second before it.
    private static func run() throws -> Recording {
        var bytes = FITBytes()
        let start = FITBytes.start
        bytes.define(1, 21, FITBytes.event)
        bytes.define(
            2, 20,
            [
                FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 0, type: 0x85),
                FITBytes.Field(number: 1, type: 0x85), FITBytes.Field(number: 3, type: 0x02),
                FITBytes.Field(number: 5, type: 0x86),
            ])
        for second in 0...80 as ClosedRange<Int64> {
            for (time, type) in [(0, 0), (20, 4), (40, 0), (60, 4)] as [(Int64, Int64)] where time == second {
                bytes.message(1, [start + second, 0, type])
            }
            bytes.message(2, [start + second, 500_000_000 + second * 100, 100_000_000, 100 + second, second * 300])
        }
        bytes.define(3, 19, FITBytes.lap)
        bytes.message(3, [start + 60, start, 59_500])
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [start + 60, start, 1, 0, 60_000, 40_000])
        return try FITRecordingTests.read(bytes)
    }

    private struct Records: FITMessageReader {
        var times: [UInt32] = []
        var laps = 0
        mutating func read(_ message: FITMessage) {
            if message.number == FITProfile.MessageNumber.record, let time = message.timestamp { times.append(time) }
            if message.number == FITProfile.MessageNumber.lap { laps += 1 }
        }
    }

    @Test func `records of a FIT file are in order of time, and none are added`() throws {
        let run = try Self.run()
        #expect(run.end == FITRecordingTests.start + 60)
        var records = Records()
        _ = try FITFile.decode(try WrittenFile(Array(run.entries), as: "fit").bytes, into: &records)
        #expect(records.times == records.times.sorted())
        #expect(records.times.count == 81)
        #expect(records.laps == 1)
    }

    @Test(arguments: ["fit", "tcx", "gpx", "csv"])
    func `every format keeps the duration, the pause, the laps and the heart rates`(format: String) throws {
        let run = try Self.run()
        let bytes = try WrittenFile(Array(run.entries), as: format).bytes
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "run", bytes: bytes)).first)
        let start = try #require(back.start)
        #expect(abs(try #require(back.end).timeIntervalSince(start) - 60) <= 0.5)
        #expect(abs(back.pausedInSeconds - 20) <= 1)
        #expect(back.readings("heartRate").map(\.value) == run.readings("heartRate").map(\.value))
        #expect(back.isInOrder)
        // GPX has neither laps nor distances.
        guard format != "gpx" else { return }
        #expect(back.events(.lap).count == 1)
        #expect(abs(back.metersCovered - run.metersCovered) < 0.1)
    }

    private static func rate(_ second: Double) -> SessionEntry {
        let date = SmallRide.start + second
        return SessionEntry(
            date, .quantity(QuantityReading("heartRate", 100 + second, unit: "count/min", start: date, end: date)))
    }

    private static func lap(_ from: Double, _ to: Double) -> SessionEntry {
        let (start, end) = (SmallRide.start + from, SmallRide.start + to)
        return SessionEntry(end, .event(EventRecord(.lap, start: start, end: end)))
    }

    /// Points are rare, so a missing second looks like a pause.
    @Test(arguments: ["fit", "tcx", "csv"], [[(0.0, 25.0)], [(0.0, 12.0), (12.0, 26.0)]])
    func `a workout that goes on for a few seconds after its last lap keeps its length`(
        format: String, laps: [(Double, Double)]
    ) throws {
        let start = SmallRide.start
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "swimming"))
        var entries = [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running))]
        entries += [Self.rate(5), Self.rate(10)] + laps.map { Self.lap($0.0, $0.1) }
        entries.append(SessionEntry(start + 30, .state(.stopped)))
        let bytes = try WrittenFile(entries, as: format).bytes
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "swim", bytes: bytes)).first)
        #expect(back.end == start + 30)
        #expect(back.pausedInSeconds == 0)
        #expect(back.events(.lap).map(\.start) == laps.map { start + $0.0 })
    }

    @Test(arguments: ["fit", "tcx", "csv"])
    func `a reading just after a lap is not in it if the workout goes on for longer`(format: String) throws {
        let start = SmallRide.start
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "rowing"))
        var entries = [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running))]
        entries += [Self.rate(5), Self.rate(10), Self.lap(0, 11), Self.rate(13)]
        entries.append(SessionEntry(start + 35, .state(.stopped)))
        let bytes = try WrittenFile(entries, as: format).bytes
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "row", bytes: bytes)).first)
        #expect(back.end == start + 35)
        #expect(back.pausedInSeconds == 0)
        #expect(back.events(.lap).map(\.end) == [start + 11])
    }

    /// In recordings, the lap comes after the start of the next leg or before it.
    @Test(arguments: ["fit", "tcx", "csv"], [true, false])
    func `a last lap of a few seconds stays in its leg`(format: String, partComesFirst: Bool) throws {
        let start = SmallRide.start
        func part(_ activity: String, _ second: Double) -> SessionEntry {
            let record = ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))
            return SessionEntry(start + second, .activityBegan(record))
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "swimBikeRun"))
        var entries = [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running)), part("cycling", 0)]
        entries += [Self.rate(10), Self.rate(17), Self.lap(0, 17), Self.rate(18), Self.rate(19)]
        let change = [part("running", 20), Self.lap(17, 20)]
        entries += partComesFirst ? change : change.reversed()
        entries += [Self.rate(21), Self.rate(30), Self.lap(20, 40), SessionEntry(start + 40, .state(.stopped))]
        let bytes = try WrittenFile(entries, as: format).bytes
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "ride", bytes: bytes)).first)
        #expect(back.activities.map(\.date) == [start, start + 20])
        #expect(back.events(.lap).map(\.end) == [17, 20, 40].map { start + $0 })
        #expect(back.readings("heartRate").count == 6)
    }

    @Test func `a few seconds after an activity's last lap make no lap of their own`() throws {
        let start = SmallRide.start
        let (rate, lap) = (Self.rate, Self.lap)
        func part(_ activity: String, _ second: Double) -> SessionEntry {
            SessionEntry(
                start + second,
                .activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity))))
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "swimBikeRun"))
        var entries = [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running)), part("cycling", 0)]
        entries += [rate(10), rate(29), lap(0, 29.5), rate(30), rate(31), part("running", 32)]
        entries += [rate(33), rate(40), lap(32, 41), rate(42), rate(60), lap(41, 60.5), rate(61), rate(63)]
        entries.append(SessionEntry(start + 63, .state(.stopped)))
        for format in ["tcx", "fit", "csv"] {
            let bytes = try WrittenFile(entries, as: format).bytes
            let back = try #require(try RecordingFile.readAll(RecordingSource(path: "ride", bytes: bytes)).first)
            #expect(back.events(.lap).count == 3, "\(format)")
            #expect(back.readings("heartRate").count == 10, "\(format)")
        }
        // Later readings get a lap of their own in the file, which our reader knows to be none.
        entries.removeLast()
        entries += [rate(80), SessionEntry(start + 81, .state(.stopped))]
        let file = try WrittenFile(entries, as: "tcx")
        #expect(file.text.components(separatedBy: "<Lap ").count == 5)
        let back = try #require(try RecordingFile.readAll(RecordingSource(path: "ride", bytes: file.bytes)).first)
        #expect(back.events(.lap).count == 3)
        #expect(back.readings("heartRate").last?.start == start + 80)
    }
}
