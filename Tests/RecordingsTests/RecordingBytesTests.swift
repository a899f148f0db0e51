import CZlib
import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

struct RecordingBytesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// One member of a gzip file.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let left = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
                return Int(stream.avail_out)
            }
        }
        return Array(output.dropLast(left))
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let url = folder.url.appending(path: name)
        try Data(bytes).write(to: url)
        return url
    }

    @Test func `a gzip file is read as its content, whatever its name`() throws {
        let run = FITBytes.run(count: 100).file()
        let capture = CaptureBuilder.workout(.monitor).bytes
        let log = Array("{\"at\":0,\"state\":\"running\"}\n{\"at\":1,\"state\":\"stopped\"}\n".utf8)
        for bytes in [run, capture, log] {
            let plain = try file("plain", bytes)
            let packed = try file("packed", Self.packed(bytes))
            #expect(try RecordingFile.read(packed).file == RecordingFile.read(plain).file)
            #expect(try RecordingFile.read(packed).file.warnings == RecordingFile.read(plain).file.warnings)
            #expect(try RecordingFile.identity(packed) == RecordingFile.identity(plain))
        }
        let plain = try RecordingFile.read(file("plain", run)).list
        #expect(try RecordingFile.read(file("packed", Self.packed(run))).list == plain)
    }

    @Test func `consecutive members are one file, and trailing zeros are ignored`() throws {
        let run = FITBytes.run(count: 100).file()
        let packed = Self.packed(Array(run.prefix(300))) + Self.packed(Array(run.dropFirst(300)))
        let recording = try RecordingFile.read(file("packed", packed + [UInt8](repeating: 0, count: 600)))
        #expect(recording.file.heartRate.count == 100)
        #expect(recording.file.warnings.isEmpty)
    }

    @Test func `a truncated gzip file is read as far as possible, with a warning`() throws {
        var random = SystemRandomNumberGenerator()
        var run = FITBytes.run(count: 20_000)
        // Random bytes, which cannot be compressed, so the cut is in the middle.
        run.define(9, 200, [FITBytes.Field(number: 1, type: 0x0D, count: 100)])
        for _ in 0..<50 { run.message(9, (0..<100).map { _ in Int64.random(in: 0...255, using: &random) }) }
        let packed = Self.packed(run.file())
        let recording = try RecordingFile.read(file("cut.fit.gz", Array(packed.prefix(packed.count - 3000))))
        #expect(recording.file.heartRate.count > 10_000)
        #expect(recording.file.warnings.contains { $0.message.hasPrefix("the packed file is cut off") })
    }

    @Test func `a bomb is rejected with a sentence, and not unpacked`() throws {
        let zeros = Self.packed([UInt8](repeating: 0x20, count: 32 << 20))
        let bomb = Array(repeatElement(zeros, count: 8).joined())
        #expect { try RecordingFile.read(file("bomb.jsonl.gz", Array(Self.packed(Array("{".utf8)) + bomb))) } throws: {
            "\($0)".contains("it unpacks to more than") && "\($0)".contains("unpack it if you trust")
        }
    }

    @Test func `a gzipped file that is not a recording is named`() throws {
        let nested = try file("twice.gz", Self.packed(Self.packed(Array("{}".utf8))))
        #expect { try RecordingFile.read(nested) } throws: { "\($0)".contains("unpack it with gunzip first") }
        let export = try file("export.xml.gz", Self.packed(Array("<HealthData ".utf8)))
        #expect { try RecordingFile.read(export) } throws: { "\($0)".contains("unpack it with gunzip first") }
        #expect { try RecordingFile.read(file("broken.gz", [0x1F, 0x8B, 9, 9, 9])) } throws: {
            "\($0)".contains("the packed file cannot be unpacked")
        }
    }
}
