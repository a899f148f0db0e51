import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct UTF16StreamTests {
    private func read(_ bytes: [UInt8], pieceSize: Int) throws -> [UInt8] {
        let stream = UTF16Stream(MemoryStream(bytes, pieceSize: pieceSize))
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 7)
        while case let count = try piece.withUnsafeMutableBufferPointer({ try stream.read(into: $0) }), count > 0 {
            all += piece.prefix(count)
        }
        return all
    }

    private func encoded(_ text: String, isBig: Bool) -> [UInt8] {
        ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBig ? bytes : bytes.reversed()
        }
    }

    @Test(arguments: [true, false]) func `text is the same however it is split`(isBig: Bool) throws {
        let text = "time;Puls\r\n1;142 ❤ 𝄞ä\n"
        for size in [1, 2, 3, 5, 1000] {
            #expect(try read(encoded(text, isBig: isBig), pieceSize: size) == Array(text.utf8))
        }
    }

    @Test func `other bytes stay unchanged`() throws {
        for bytes in [[], [0xFF], [0xFE, 0x00, 0xFF], Array("text".utf8), FITBytes.run().file()] as [[UInt8]] {
            for size in [1, 2, 1000] { #expect(try read(bytes, pieceSize: size) == bytes) }
        }
    }

    @Test func `tables and tracks in UTF-16 are read, also in gzip`() throws {
        let table = "time,hr\n2026-03-01T10:00:00Z,100\n2026-03-01T10:00:01Z,101\n"
        let track = TrackText.tcx(
            TrackText.activity("Running", TrackText.lap(0, TrackText.track(0..<5, { TrackText.heartRate(100 + $0) }))))
        for (text, count) in [(table, 2), (track, 5)] {
            for isBig in [true, false] {
                let bytes = encoded(text, isBig: isBig)
                for bytes in [bytes, RecordingBytesTests.packed(bytes)] {
                    let source = RecordingSource(path: "file", bytes: bytes)
                    #expect(try RecordingFile.readAll(source)[0].values("heartRate").count == count)
                }
            }
        }
    }
}
