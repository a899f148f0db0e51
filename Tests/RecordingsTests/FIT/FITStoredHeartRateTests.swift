import Foundation
import Testing

@testable import Recordings

struct FITStoredHeartRateTests {
    /// Ten records without heart rate, and a strap that delivers 120, 121, … bpm afterwards, two a second, from three
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
        // Half a second past: event times lie between the records.
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

    @Test func `heart rates that a strap stored are spread over the records`() throws {
        let recording = try FITRecordingTests.read(Self.bytes())
        // Reading n is at −3.25 + n/2 s; a record takes the two of the second before it. The very last counts once
        // only, for nothing says how long it holds.
        let rates = recording.readings("heartRate")
        #expect(rates.count == 10)
        #expect(rates.first?.start == FITRecordingTests.start)
        let expected: [Double] = [126, 128, 130, 132, 134, 136, 138, 140, 142, 143]
        #expect(rates.map(\.value) == expected)
        #expect(recording.file.heartRate.count == 10)
    }

    @Test func `stored heart rates leave records without any in their span as they are`() {
        var memory: [FITRecord] = []
        let file = Self.bytes().file()
        var activity = FITActivity()
        var decoder = FITDecoder()
        file.withUnsafeBytes { decoder.read($0, into: &activity) }
        decoder.finish(into: &activity)
        memory = activity.records
        for index in memory.indices { memory[index].time += 60 }
        memory[3].heartRate = 99
        activity.memory.merge(into: &memory)
        #expect(memory.map(\.heartRate) == [255, 255, 255, 99, 255, 255, 255, 255, 255, 255])
    }
}
