import Analytics
import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

/// A file is surveyed, and read again for its entries.
struct FITStreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A file in several pieces: record after record, with one heart rate for each number, at these seconds.
    private static func ride(_ seconds: [Int64], hasBeats: Bool = false) -> FITBytes {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        bytes.define(3, 78, [FITBytes.Field(number: 0, type: 0x84)])
        for (index, second) in seconds.enumerated() {
            bytes.message(2, [FITBytes.start + second, 100 + Int64(index % 100), second * 300, 3000])
            if hasBeats { bytes.message(3, [600 + Int64(index % 300)]) }
        }
        return bytes
    }

    @Test func `a file of many pieces is read completely, in each iteration`() throws {
        let recording = try FITRecordingTests.read(Self.ride(Array(0..<20_000), hasBeats: true))
        let expected = (0..<20_000).map { 100 + Double($0 % 100) }
        for _ in 0..<2 {
            #expect(recording.readings("heartRate").map(\.value) == expected)
            #expect(recording.beatsInMilliseconds == recording.file.rrIntervalsInMilliseconds)
        }
        #expect(recording.file.rrIntervalsInMilliseconds == (0..<20_000).map { 600 + Double($0 % 300) })
        #expect(recording.entries.failure == nil)
    }

    @Test func `records that step back in time are put in order, however far apart`() throws {
        var random = SeededGenerator(seed: 3)
        var seconds = Array(Int64(0)..<9000)
        for _ in 0..<200 {
            seconds.swapAt(Int.random(in: 0..<9000, using: &random), Int.random(in: 0..<9000, using: &random))
        }
        // Then another hour, of two devices.
        seconds += Array(3000..<6600)
        let recording = try FITRecordingTests.read(Self.ride(seconds, hasBeats: true))
        let order = seconds.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
        #expect(recording.readings("heartRate").map(\.value) == order.map { 100 + Double($0.offset % 100) })
        #expect(
            recording.readings("heartRate").map { $0.start.timeIntervalSince(FITRecordingTests.start) }
                == order.map { Double($0.element) })
        #expect(recording.isInOrder)
        // RR intervals stay in the order of the file.
        #expect(recording.beatsInMilliseconds == recording.file.rrIntervalsInMilliseconds)
        let steps = zip(seconds, seconds.dropFirst()).count { $1 < $0 }
        #expect(
            recording.file.warnings.map(\.message) == ["\(steps) records step back in time; they were put in order"])
    }

    @Test func `RR intervals without any record are kept`() throws {
        var bytes = FITBytes.run(count: 3)
        bytes.define(5, 78, [FITBytes.Field(number: 0, type: 0x84, count: 5)])
        for message in 0..<3000 { bytes.message(5, (0..<5).map { 500 + Int64(message % 97) + $0 }) }
        let recording = try FITRecordingTests.read(bytes)
        #expect(recording.file.rrIntervalsInMilliseconds.count == 15_000)
        #expect(recording.beatsInMilliseconds == recording.file.rrIntervalsInMilliseconds)
        #expect(
            recording.beats.allSatisfy { $0.reading.intervalsInMilliseconds.count <= FITBeats.limit + 5 })
    }

    @Test func `a file truncated while its entries are read is an error`() throws {
        let url = folder.url.appending(path: "cut.fit")
        let bytes = FITBytes.run(count: 20_000).file()
        try Data(bytes).write(to: url)
        let recording = try FITFile.read(url)[0]
        #expect(recording.list.count > 40_000)
        #expect(recording.entries.failure == nil)
        try Data(bytes.prefix(bytes.count / 2)).write(to: url)
        #expect(recording.list.count < 40_000)
        guard case .invalid(url.path, let byte, "the file became shorter while it was read") = recording.entries.failure
        else {
            Issue.record("\(String(describing: recording.entries.failure))")
            return
        }
        #expect((bytes.count / 2 - 20...bytes.count / 2).contains(byte))
    }

    @Test func `a file truncated at any byte gives what is before, every time`() throws {
        let whole = FITBytes.run(count: 20)
        let chained = whole.file() + FITBytes.run(count: 10, start: FITBytes.start + 7200).file()
        var most = 0
        for count in 14...chained.count {
            let all = try FITFile.read(bytes: Array(chained.prefix(count)))
            let readings = all.reduce(0) { $0 + $1.readings("heartRate").count }
            #expect(readings >= most && readings == all.reduce(0) { $0 + $1.file.heartRate.count })
            most = max(most, readings)
            for recording in all {
                #expect(recording.isInOrder)
                #expect(recording.list == recording.list)
                #expect(recording.entries.failure == nil)
            }
        }
        #expect(most == 30)
    }

    @Test(arguments: [1, 98, 99, 100, 10_000, 1 << 16, 1 << 16 + 1, 300_000])
    func `shared times are spread over their records`(_ count: Int) {
        var sample = FITTimeSample()
        for time in 0..<count { sample.add(UInt32(time)) }
        let step = max(count / 99, 1)
        let expected = stride(from: 0, to: count, by: step).map { UInt32($0) }
        let spread = sample.spread(99)
        #expect(spread.count == expected.count)
        #expect(zip(spread, expected).allSatisfy { $0 <= $1 && $1 - $0 < 8 && ($0 == $1 || count > 1 << 16) })
        var joined = sample
        joined.append(sample)
        var long = FITTimeSample()
        for time in Array(0..<count) + Array(0..<count) { long.add(UInt32(time)) }
        #expect(joined.spread(99).count == long.spread(99).count)
        if count <= 1 << 15 { #expect(joined.spread(99) == long.spread(99)) }
    }
}

extension Recording {
    fileprivate var beatsInMilliseconds: [Double] { beats.flatMap(\.reading.intervalsInMilliseconds) }
}
