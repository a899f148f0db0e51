import Analytics
import Testing

@testable import Recordings
@testable import SessionLog

struct FITFuzzTests {
    /// Files that reach every path of the decoder.
    static let seeds: [[UInt8]] = {
        var developer = FITDecoderTests.developerFile(native: 7)
        for second in 0..<20 {
            developer.message(1, [FITBytes.start + Int64(second), 140], developer: [0, 0, 0x48, 0x43])
            developer.message(
                1, [FITBytes.start, 140], developer: [0, 0, 0x48, 0x43], compressedOffset: UInt8(second))
        }
        let run = FITBytes.run().file()
        return [
            run, FITBytes.run(isBigEndian: true).file(headerSize: 12), developer.file(),
            run + [0, 1, 2] + FITStoredHeartRateTests.bytes().file(), FITBytes.run().file(dataSize: 0),
        ]
    }()

    @Test(arguments: 0..<UInt64(8))
    func `mutated files are read to the end, however they are split`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<150 {
            var bytes = Self.seeds[round % Self.seeds.count]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                // Not the signature, without which it would not be FIT.
                guard !(8..<12).contains(at) else { continue }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[at] = [0, 0xFF, 0x7F, 0x40, 0x80].randomElement(using: &random) ?? 0
                case 2 where at > 14:
                    bytes.removeSubrange(at..<min(at + Int.random(in: 1...30, using: &random), bytes.count))
                case 2: break
                default:
                    guard at > 14 else { break }
                    bytes.insert(contentsOf: (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }, at: at)
                }
                if bytes.count < 20 { break }
            }
            try Self.check(bytes, &random)
        }
    }

    @Test(arguments: 0..<UInt64(4))
    func `random bytes after a header are read to the end`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 100)
        for _ in 0..<100 {
            var bytes = FITBytes()
            let count = Int.random(in: 0..<3000, using: &random)
            bytes.data = (0..<count).map { _ in
                UInt8.random(in: 0...255, using: &random) & (Bool.random(using: &random) ? 0xFF : 0x43)
            }
            try Self.check(bytes.file(dataSize: Bool.random(using: &random) ? 0 : nil), &random)
        }
    }

    @Test func `definitions of the largest size are read`() throws {
        var random = SeededGenerator(seed: 7)
        var bytes = FITBytes()
        let fields = (0..<255).map { FITBytes.Field(number: UInt8($0 % 8), type: 0x02, size: 255) }
        let developer = (0..<255).map { FITBytes.DeveloperField(number: UInt8($0), size: 255, index: 0) }
        bytes.define(0, 20, fields, developer: developer)
        bytes.message(0, Array(repeating: 3, count: 255 * 255), developer: Array(repeating: 3, count: 255 * 255))
        bytes.message(0, Array(repeating: 3, count: 255 * 255), developer: Array(repeating: 3, count: 255 * 255))
        #expect(FITTranscript.of(bytes.file()).0.lines.count == 2)
        try Self.check(bytes.file(), &random)
    }

    private static func check(_ bytes: [UInt8], _ random: inout SeededGenerator) throws {
        let whole = FITTranscript.of(bytes)
        let pieces = (0..<5).map { _ in Int.random(in: 1...70, using: &random) }
        let cut = FITTranscript.of(bytes, pieces: pieces)
        #expect(cut.0 == whole.0)
        #expect(cut.1 == whole.1)
        if bytes.count < 2000 {
            let single = FITTranscript.of(bytes, pieces: [1])
            #expect(single.0 == whole.0)
            #expect(single.1 == whole.1)
        }
        for recording in try FITFile.read(bytes: bytes) {
            #expect(recording.isInOrder)
            #expect(recording.list.isEmpty || recording.start != nil && recording.end != nil)
        }
    }
}
