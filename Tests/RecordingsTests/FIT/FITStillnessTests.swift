import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITStillnessTests {
    /// Twelve stops of half a minute. Each has one record in the second of the stop, after it in the file, one during
    /// it, and one in the second of the next start, before it in the file.
    private static func bytes() -> FITBytes {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        bytes.define(2, 20, FITBytes.record)
        var second = FITBytes.start
        var rate: Int64 = 99
        func record(_ bytes: inout FITBytes) {
            rate += 1
            bytes.message(2, [second, rate, (rate - 99) * 100, 0xFFFF])
        }
        bytes.message(1, [second, 0, 0])
        for _ in 0..<12 {
            for _ in 0..<6 {
                record(&bytes)
                second += 1
            }
            bytes.message(1, [second, 0, 4])
            record(&bytes)
            second += 1
            record(&bytes)
            second += 29
            record(&bytes)
            bytes.message(1, [second, 0, 0])
            second += 1
        }
        bytes.message(1, [second, 0, 4])
        bytes.define(4, 18, FITBytes.session)
        let elapsed = (second - FITBytes.start) * 1000
        bytes.message(4, [second, FITBytes.start, 1, 0, elapsed, elapsed - 12 * 30_000])
        return bytes
    }

    @Test func `no reading at the edge of a pause is inside it`() throws {
        let recording = try FITRecordingTests.read(Self.bytes())
        #expect(recording.pauses.count == 12)
        var isPaused = false
        for entry in recording.list {
            switch entry.content {
            case .state(let phase): isPaused = phase == .paused
            case .quantity(let reading): #expect(!isPaused, "\(reading.type) of \(reading.end) stands in a pause")
            default: break
            }
        }
        #expect(recording.readings("heartRate").map(\.value) == (100..<208).map(Double.init))
        #expect(recording.readings("heartRate").count == recording.file.heartRate.count)
        #expect(recording.readings("distanceWalkingRunning").map(\.value).reduce(0, +) == 108)
        #expect(recording.isInOrder)
    }

    @Test func `readings in the second of a start follow it, and earlier ones precede the stop`() throws {
        let recording = try FITRecordingTests.read(Self.bytes())
        let first = recording.list.prefix { $0.content != .state(.paused) }
        let rates = first.compactMap { entry -> Double? in
            if case .quantity(let reading) = entry.content, reading.type == "heartRate" { reading.value } else { nil }
        }
        #expect(rates == (100...107).map(Double.init))
        let resumed = try #require(recording.list.firstIndex { $0.content == .state(.paused) }) + 1
        #expect(recording.list[resumed].content == .state(.running))
        #expect(recording.list[resumed].date == FITRecordingTests.start + 36)
        guard case .quantity(let next) = recording.list[resumed + 1].content else {
            Issue.record("no reading")
            return
        }
        #expect(next.value == 108)
        #expect(next.start == FITRecordingTests.start + 36)
    }

    @Test func `distance reported after a pause was not covered in it`() throws {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        bytes.define(2, 20, FITBytes.record)
        for (second, type) in [(0, 0), (20, 4), (50, 0), (60, 4)] as [(Int64, Int64)] {
            bytes.message(1, [FITBytes.start + second, 0, type])
        }
        for (second, meters) in [(0, 0), (18, 50), (25, 52), (55, 90), (59, 100)] as [(Int64, Int64)] {
            bytes.message(2, [FITBytes.start + second, 140, meters * 100, 0xFFFF])
        }
        let distances = try FITRecordingTests.read(bytes).readings("distanceWalkingRunning")
        #expect(distances.map(\.value) == [50, 2, 38, 10])
        #expect(distances.map(\.start) == [0, 18, 50, 55].map { FITRecordingTests.start + $0 })
        #expect(distances.map(\.end) == [18, 25, 55, 59].map { FITRecordingTests.start + $0 })
    }

    @Test func `RR intervals of a pause precede it, in the order of the file`() throws {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        bytes.define(2, 20, FITBytes.record)
        bytes.define(3, 78, [FITBytes.Field(number: 0, type: 0x84)])
        for (second, type) in [(0, 0), (20, 4), (30, 0), (40, 4)] as [(Int64, Int64)] {
            bytes.message(1, [FITBytes.start + second, 0, type])
        }
        for second in stride(from: Int64(0), to: 40, by: 2) {
            bytes.message(2, [FITBytes.start + second, 140, 0, 0])
            bytes.message(3, [700 + second])
        }
        let recording = try FITRecordingTests.read(bytes)
        var isPaused = false
        var intervals: [Double] = []
        for entry in recording.list {
            if case .state(let phase) = entry.content { isPaused = phase == .paused }
            if case .beats(let reading) = entry.content {
                #expect(!isPaused)
                intervals += reading.intervalsInMilliseconds
            }
        }
        #expect(intervals == recording.file.rrIntervalsInMilliseconds)
        #expect(intervals.count == 20)
    }
}
