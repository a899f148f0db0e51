import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITStoredHeartRateTests {
    /// Ten records without heart rate, and a strap that later delivers 120, 121, … bpm, two a second, from three
    /// seconds before the start.
    static func bytes() -> FITBytes {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in 0..<10 { bytes.message(2, [FITBytes.start + Int64(second), 0xFF, 0xFFFF_FFFF, 0xFFFF]) }
        bytes.define(
            1, 132,
            [
                FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 0, type: 0x84),
                FITBytes.Field(number: 9, type: 0x86), FITBytes.Field(number: 6, type: 0x02),
            ])
        // Half a second later: event times lie between the records.
        let origin: Int64 = 0x1234_5678
        bytes.message(1, [FITBytes.start - 4, 24576, origin, 120])
        bytes.define(
            1, 132,
            [FITBytes.Field(number: 6, type: 0x02, count: 8), FITBytes.Field(number: 10, type: 0x0D, count: 12)])
        for block in 0..<3 {
            let indices = (0..<8).map { Int64(block * 8 + $0 + 1) }
            let times = indices.map { (origin + $0 * 512) & 0xFFF }
            let packed = stride(from: 0, to: 8, by: 2).flatMap { index -> [Int64] in
                let (a, b) = (times[index], times[index + 1])
                return [a & 0xFF, a >> 8 | (b & 0xF) << 4, b >> 4]
            }
            bytes.message(1, indices.map { 120 + $0 } + packed)
        }
        return bytes
    }

    @Test func `heart rates stored by a strap are spread over the records`() throws {
        let recording = try FITRecordingTests.read(Self.bytes())
        // Reading n is at −3.25 + n/2 s; a record takes the two readings of the second before it. The last record
        // gets none, because the readings end in its second.
        let rates = recording.readings("heartRate")
        #expect(rates.count == 9)
        #expect(rates.first?.start == FITRecordingTests.start)
        let expected: [Double] = [126, 128, 130, 132, 134, 136, 138, 140, 142]
        #expect(rates.map(\.value) == expected)
        #expect(recording.file.heartRate.count == 9)
    }

    @Test func `stored heart rates leave records without any in their span unchanged`() throws {
        let file = Self.bytes()
        var records = try Self.records(file)
        for index in records.indices { records[index].time += 60 }
        records[3].heartRate = 99
        Self.merge(Self.activity(file).memory, into: &records)
        #expect(records.map(\.heartRate) == [255, 255, 255, 99, 255, 255, 255, 255, 255, 255])
    }

    private static func activity(_ bytes: FITBytes) -> FITActivity {
        var activity = FITActivity()
        var decoder = FITDecoder()
        bytes.file().withUnsafeBytes { decoder.read($0, into: &activity) }
        decoder.finish(into: &activity)
        return activity
    }

    /// In the order of the file.
    private static func records(_ bytes: FITBytes) throws -> [FITRecord] {
        let moments = try FITMoments(
            RecordingSource(path: "test", bytes: bytes.file()), FITExtent(byte: 0, messages: 0), clock: nil,
            memory: FITHeartRateMemory())
        var records: [FITRecord] = []
        try moments.forEach { moment, _ in
            if case .record(let record) = moment { records.append(record) }
        }
        return records
    }

    private static func merge(_ memory: FITHeartRateMemory, into records: inout [FITRecord]) {
        var merging = FITHeartRateMemory.Merging()
        for index in records.indices { merging.merge(memory, into: &records[index]) }
    }

    /// The result of Garmin's SDK for Python, 21.218.0, for the same bytes; 255 means none.
    @Test(
        arguments: [
            ([0, 1, 2, 3, 4, 5, 6, 7], [100, 102, 107, 111, 116, 120, 255, 255]),
            // Records of the same second: the later ones take the last value.
            ([0, 1, 1, 2, 2, 2, 3, 5, 5], [100, 102, 103, 107, 109, 109, 111, 118, 121]),
        ] as [([Int64], [UInt8])])
    func `stored heart rates are merged as in Garmin's SDK`(_ seconds: [Int64], _ expected: [UInt8]) throws {
        var memory = FITHeartRateMemory()
        let events = (0...8).map { (Int64($0) * 700, Int64(100 + 3 * $0)) }
        Self.read(events, from: -0.25, into: &memory)
        #expect(try Self.merged(memory, seconds) == expected)
    }

    @Test func `a stored heart rate holds for five seconds, inclusive`() throws {
        var memory = FITHeartRateMemory()
        for (second, rate) in [(0, 100), (9.5, 120), (14, 130)] as [(Double, Int64)] {
            Self.read([(0, rate)], from: second, into: &memory)
        }
        let expected: [UInt8] = [100, 100, 100, 100, 100, 100, 255, 255, 255, 255, 120, 120, 120, 120, 255, 255]
        #expect(try Self.merged(memory, Array(0...15)) == expected)
    }

    /// Event times in 1/1024 s, and heart rates; the first is at `start` seconds.
    private static func read(
        _ events: [(Int64, Int64)], from start: Double, into memory: inout FITHeartRateMemory
    ) {
        var bytes = FITBytes()
        let anchor = FITBytes.Field(number: 9, type: 0x86)
        let rate = FITBytes.Field(number: 6, type: 0x02)
        bytes.define(
            1, 132,
            [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 0, type: 0x84), anchor, rate])
        let whole = start.rounded(.down)
        bytes.message(
            1, [FITBytes.start + Int64(whole), Int64((start - whole) * 32768), 5000 + events[0].0, events[0].1])
        bytes.define(2, 132, [anchor, rate])
        for (time, value) in events.dropFirst() { bytes.message(2, [5000 + time, value]) }
        memory.append(activity(bytes).memory)
    }

    private static func merged(_ memory: FITHeartRateMemory, _ seconds: [Int64]) throws -> [UInt8] {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in seconds { bytes.message(2, [FITBytes.start + second, 0xFF, 0xFFFF_FFFF, 0xFFFF]) }
        var records = try records(bytes)
        merge(memory, into: &records)
        return records.map(\.heartRate)
    }
}
