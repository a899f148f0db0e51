import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Files whose sessions, laps and lengths state what records don't, or state it differently.
struct FITSummaryTests {
    private typealias Field = FITBytes.Field
    private static let start = FITBytes.start

    /// `timestamp`, `start_time`, `total_elapsed_time`, `total_timer_time`, `total_distance`.
    private static let lap = FITBytes.lap + [Field(number: 8, type: 0x86), Field(number: 9, type: 0x86)]
    private static let session = FITBytes.session + [Field(number: 9, type: 0x86)]

    /// A run of 600 s with laps of 300 s and 1000 m, whose summaries come first and all have the time of the start.
    private static func summaryFirst() -> FITBytes {
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [4, 1, 2697, 123_456, start])
        bytes.define(4, 18, session)
        bytes.message(4, [start, start, 1, 0, 600_000, 600_000, 200_000])
        bytes.define(3, 19, lap)
        for number in 0..<2 as Range<Int64> {
            bytes.message(3, [start, start + 300 * number, 300_000, 300_000, 100_000])
        }
        bytes.define(1, 21, FITBytes.event)
        bytes.message(1, [start, 0, 0])
        bytes.define(2, 20, FITBytes.record)
        for second in 0...600 as ClosedRange<Int64> {
            bytes.message(2, [start + second, 140, second * 1000 / 3, 3333])
        }
        bytes.message(1, [start + 600, 0, 4])
        return bytes
    }

    private static func metersOfLaps(_ recording: Recording) -> [Double] {
        var meters = [0.0]
        for entry in recording.entries {
            if case .event(let event) = entry.content, event.kind == .lap { meters.append(0) }
            if case .quantity(let reading) = entry.content, reading.type.hasPrefix("distance") {
                meters[meters.count - 1] += reading.value
            }
        }
        return meters
    }

    @Test func `laps of a file whose summaries come first have their stated durations`() throws {
        let run = try FITRecordingTests.read(Self.summaryFirst())
        let laps = run.events(.lap)
        #expect(laps.map { $0.start.timeIntervalSince(FITRecordingTests.start) } == [0, 300])
        #expect(laps.map { $0.end.timeIntervalSince(FITRecordingTests.start) } == [300, 600])
        #expect(Self.metersOfLaps(run).map { $0.rounded() } == [1000, 1000, 0])
        for format in ["fit", "tcx", "csv"] {
            let bytes = try WrittenFile(Array(run.entries), as: format).bytes
            let back = try #require(try RecordingFile.readAll(RecordingSource(path: "run", bytes: bytes)).first)
            #expect(back.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [300, 300], "\(format)")
            #expect(Self.metersOfLaps(back).map { $0.rounded() } == [1000, 1000, 0], "\(format)")
        }
    }

    /// Records without distances, and a session that states one.
    private static func indoor(laps: [Int64], session meters: Int64?) -> FITBytes {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        bytes.message(1, [start, 0, 0])
        bytes.define(2, 20, FITBytes.record)
        for second in 0...600 as ClosedRange<Int64> {
            bytes.message(2, [start + second, 140, 0xFFFF_FFFF, 0xFFFF])
            if second == 200 { bytes.message(1, [start + second, 0, 4]) }
            if second == 400 { bytes.message(1, [start + second, 0, 0]) }
        }
        bytes.define(3, 19, lap)
        for (number, meters) in laps.enumerated() {
            let length = 600 / Int64(laps.count)
            let begin = start + Int64(number) * length
            bytes.message(3, [begin + length, begin, length * 1000, length * 1000, meters])
        }
        bytes.message(1, [start + 600, 0, 4])
        bytes.define(4, 18, session)
        bytes.message(4, [start + 600, start, 2, 6, 600_000, 400_000, meters ?? 0xFFFF_FFFF])
        return bytes
    }

    @Test func `a distance that only the session states is outside the pauses`() throws {
        let ride = try FITRecordingTests.read(Self.indoor(laps: [], session: 1_200_000))
        let distances = ride.readings("distanceCycling")
        #expect(distances.map(\.value).map { $0.rounded() } == [6000, 6000])
        #expect(distances.map { $0.start.timeIntervalSince(FITRecordingTests.start) } == [0, 400])
        #expect(distances.map { $0.end.timeIntervalSince(FITRecordingTests.start) } == [200, 600])
        #expect(ride.isInOrder)
    }

    @Test func `laps have their stated distances, unless the session states more`() throws {
        let ride = try FITRecordingTests.read(Self.indoor(laps: [500_000, 700_000], session: 1_200_000))
        #expect(Self.metersOfLaps(ride).map { $0.rounded() } == [5000, 7000, 0])
        let silent = try FITRecordingTests.read(Self.indoor(laps: [500_000, 700_000], session: nil))
        #expect(Self.metersOfLaps(silent).map { $0.rounded() } == [5000, 7000, 0])
        let more = try FITRecordingTests.read(Self.indoor(laps: [500_000, 0], session: 1_200_000))
        #expect(more.metersCovered.rounded() == 12_000)
    }

    @Test func `a lap without records has its stated distance, unless the count continues over it`() throws {
        func run(countsAfter: Bool) throws -> Recording {
            var bytes = FITBytes()
            bytes.define(1, 21, FITBytes.event)
            bytes.message(1, [Self.start, 0, 0])
            bytes.define(2, 20, FITBytes.record)
            for second in 0...300 as ClosedRange<Int64> {
                bytes.message(2, [Self.start + second, 140, second * 300, 3000])
            }
            if countsAfter { bytes.message(2, [Self.start + 900, 140, 240_000, 3000]) }
            bytes.define(3, 19, Self.lap)
            for (number, meters) in [90_000, 80_000, 70_000].enumerated() {
                let begin = Self.start + Int64(number) * 300
                bytes.message(3, [begin + 300, begin, 300_000, 300_000, Int64(meters)])
            }
            bytes.message(1, [Self.start + 900, 0, 4])
            bytes.define(4, 18, Self.session)
            bytes.message(4, [Self.start + 900, Self.start, 1, 0, 900_000, 900_000, 240_000])
            return try FITRecordingTests.read(bytes)
        }
        let short = try run(countsAfter: false)
        #expect(Self.metersOfLaps(short).map { $0.rounded() } == [900, 800, 700, 0])
        #expect(short.file.warnings == [])
        #expect(try run(countsAfter: true).metersCovered.rounded() == 2400)
    }

    @Test func `a count that restarts in each leg gives the distance of each`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        // The last record of a leg has the time at which the next one starts.
        for second in 0...600 as ClosedRange<Int64> {
            bytes.message(2, [Self.start + second, 140, second * 790, 0xFFFF])
        }
        for second in 601...660 as ClosedRange<Int64> {
            bytes.message(2, [Self.start + second, 140, (second - 601) * 100, 0xFFFF])
        }
        bytes.define(4, 18, Self.session)
        bytes.message(4, [Self.start + 600, Self.start, 2, 0, 600_000, 600_000, 475_000])
        bytes.message(4, [Self.start + 660, Self.start + 600, 3, 0, 60_000, 60_000, 6000])
        let both = try FITRecordingTests.read(bytes)
        #expect(both.readings("distanceCycling").reduce(0) { $0 + $1.value }.rounded() == 4740)
        let walked = both.readings("distanceWalkingRunning")
        #expect(walked.reduce(0) { $0 + $1.value } == 60)
        #expect(walked.allSatisfy { $0.value <= 1 })
    }

    /// The last record has 297 m. Only what can be covered after it was.
    @Test(
        arguments: [(98, 30_000, 300), (98, 29_700, 297), (98, 29_000, 297), (98, 35_000, 297), (60, 20_000, 183)]
            as [(Int64, Int64, Double)])
    func `what a session states beyond its records was covered after the last one`(
        last: Int64, total: Int64, meters: Double
    ) throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in 0...last { bytes.message(2, [Self.start + second, 140, (second + 1) * 300, 0xFFFF]) }
        bytes.define(4, 18, Self.session)
        bytes.message(4, [Self.start + 100, Self.start, 1, 0, 100_000, 100_000, total])
        let run = try FITRecordingTests.read(bytes)
        #expect(run.end?.timeIntervalSince(FITRecordingTests.start) == 100)
        #expect(abs(run.metersCovered - meters) < 0.01)
        #expect(run.isInOrder)
    }

    @Test func `a count that starts above zero is counted from there`() throws {
        for total in [nil, 900_000] as [Int64?] {
            var bytes = FITBytes()
            bytes.define(2, 20, FITBytes.record)
            for second in 0...900 as ClosedRange<Int64> {
                bytes.message(2, [Self.start + second, 140, 4_201_300 + second * 1000, 0xFFFF])
            }
            bytes.define(4, 18, Self.session)
            bytes.message(
                4, [Self.start + 900, Self.start, 2, 0, 900_000, 900_000, total ?? 0xFFFF_FFFF])
            #expect(try FITRecordingTests.read(bytes).metersCovered == 9000)
        }
    }

    @Test func `a clock set while recording does not make a workout of weeks`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in 0..<3389 as Range<Int64> {
            let time = Self.start + second + (second >= 1000 ? 1_746_563 : 0)
            bytes.message(2, [time, 140, second * 300, 0xFFFF])
        }
        bytes.define(4, 18, Self.session)
        bytes.message(4, [Self.start + 3389, Self.start, 1, 0, 3_389_000, 3_389_000, 0xFFFF_FFFF])
        let run = try FITRecordingTests.read(bytes)
        #expect(run.start == FITRecordingTests.start)
        #expect(try #require(run.end) <= FITRecordingTests.start + 3390)
        #expect(run.isInOrder)
        #expect(run.readings("heartRate").count == 3389)
        #expect(run.readings("heartRate").last?.start == FITRecordingTests.start + 3388)
        #expect(run.metersCovered.rounded() == 10_164)
        #expect(run.file.warnings.count == 1)
    }

    @Test func `a session shorter than its elapsed time without timer events has pauses where records are missing`()
        throws
    {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in 0...600 as ClosedRange<Int64> where !(201..<400).contains(second) {
            bytes.message(2, [Self.start + second, 140, second * 300, 0xFFFF])
        }
        bytes.define(4, 18, Self.session)
        bytes.message(4, [Self.start + 600, Self.start, 1, 0, 600_000, 400_000, 180_000])
        let run = try FITRecordingTests.read(bytes)
        #expect(run.pauses.map { $0.start.timeIntervalSince(FITRecordingTests.start) } == [200])
        #expect(run.pauses.map(\.duration) == [200])
        var isPaused = false
        for entry in run.entries {
            if case .state(let phase) = entry.content { isPaused = phase == .paused }
            if case .quantity = entry.content { #expect(!isPaused) }
        }
        #expect(run.isInOrder)
        #expect(run.file.warnings.count == 1)
    }

    // MARK: Pools

    /// Four lengths of 25 m that end after their lap, a rest, and a drill of 100 m in one length.
    private static func swim() -> FITBytes {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        bytes.message(1, [start, 0, 0])
        bytes.define(
            2, 101,
            [
                Field(number: 253, type: 0x86), Field(number: 2, type: 0x86), Field(number: 3, type: 0x86),
                Field(number: 5, type: 0x84), Field(number: 7, type: 0x00), Field(number: 12, type: 0x00),
            ])
        for number in 0..<4 as Range<Int64> {
            bytes.message(2, [start + 30 * (number + 1) + 9, start + 30 * number, 30_900, 12, 0, 1])
        }
        bytes.message(2, [start + 180, start + 120, 60_000, 0xFFFF, 0xFF, 0])
        bytes.message(2, [start + 300, start + 180, 120_000, 0xFFFF, 4, 1])
        bytes.message(2, [start + 330, start + 300, 30_000, 0xFFFF, 0xFF, 1])
        bytes.define(5, 20, FITBytes.record)
        for second in 0...330 as ClosedRange<Int64> {
            // The distance count lags behind the lengths.
            let meters = second >= 310 ? 200 : max(0, min(4, (second - 9) / 30)) * 25
            bytes.message(5, [start + second, 120, meters * 100, 0xFFFF])
        }
        bytes.define(3, 19, lap)
        bytes.message(3, [start + 129, start, 120_000, 120_000, 10_000])
        bytes.message(3, [start + 180, start + 120, 60_000, 60_000, 0])
        bytes.message(3, [start + 300, start + 180, 120_000, 120_000, 10_000])
        bytes.message(3, [start + 330, start + 300, 30_000, 30_000, 2500])
        bytes.message(1, [start + 330, 0, 4])
        bytes.define(4, 18, session + [Field(number: 44, type: 0x84)])
        bytes.message(4, [start + 330, start, 5, 17, 330_000, 330_000, 22_500, 2500])
        return bytes
    }

    @Test func `lengths count for their lap, and a drill with its whole distance`() throws {
        let swim = try FITRecordingTests.read(Self.swim())
        #expect(Self.metersOfLaps(swim) == [100, 0, 100, 25, 0])
        #expect(swim.events(.segment).count == 7)
        let styles = swim.events(.segment).map { $0.metadata["HKSwimmingStrokeStyle"] }
        #expect(styles == [.number(2), .number(2), .number(2), .number(2), nil, .number(6), .number(0)])
        let written = try WrittenFile(Array(swim.entries), as: "fit").bytes
        let back = try FITFile.read(bytes: written)[0]
        #expect(Self.metersOfLaps(back) == [100, 0, 100, 25, 0])
        #expect(back.events(.segment).map { $0.metadata["HKSwimmingStrokeStyle"] } == styles)
        var lengths = Summaries()
        _ = try FITFile.decode(written, into: &lengths)
        #expect(lengths.activeLengths == 6)
    }

    private struct Summaries: FITMessageReader {
        var activeLengths = 0
        mutating func read(_ message: FITMessage) {
            if message.number == FITProfile.MessageNumber.length, message[FITProfile.Length.lengthType] == 1 {
                activeLengths += 1
            }
        }
    }
}
