import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Archives without their end, as an interrupted download leaves them.
struct CutArchiveTests {
    private static func content(_ number: Int) -> [UInt8] {
        Array("time,hr\n0,10\(number)\n1,11\(number)\n".utf8)
    }

    private static func archive(_ options: ZipBuilder.Options) -> (bytes: [UInt8], ends: [Int]) {
        var builder = ZipBuilder()
        var ends: [Int] = []
        for number in 0..<3 {
            builder.add("ride-\(number).csv", content(number), options)
            ends.append(builder.bytes.count)
        }
        return (builder.finished(), ends)
    }

    private func withFile(_ bytes: [UInt8], _ body: (URL) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "cut-\(UUID().uuidString).zip")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(bytes).write(to: url)
        try body(url)
    }

    private func contents(_ archive: ZipArchive) throws -> [[UInt8]] {
        try archive.files.map { entry in
            var all: [UInt8] = []
            try RecordingSource(entry, in: archive).open().forEach { all += $0 }
            return all
        }
    }

    @Test(
        arguments: [
            ZipBuilder.Options(), ZipBuilder.Options(packing: .stored), ZipBuilder.Options(hasDataDescriptor: true),
        ])
    func `a truncated archive gives its complete files`(options: ZipBuilder.Options) throws {
        let (bytes, ends) = Self.archive(options)
        for cut in stride(from: 4, to: bytes.count - 1, by: 3) {
            let whole = ends.count { $0 <= cut }
            try withFile(Array(bytes[..<cut])) { url in
                let archive = try? ZipArchive(SharedFile(url.path), takesCut: true)
                let found = try archive.map(contents) ?? []
                // If only the descriptor after complete data is missing, the data counts.
                #expect(found.count >= whole && found.count <= ends.count { $0 <= cut + 16 }, "cut at \(cut)")
                #expect(found == (0..<found.count).map(Self.content), "cut at \(cut)")
                #expect(archive?.damage != nil || found.isEmpty)
            }
        }
    }

    @Test func `a complete archive has no warning, and an export is not read in parts`() throws {
        let (bytes, ends) = Self.archive(ZipBuilder.Options())
        try withFile(bytes) { url in
            let archive = try ZipArchive(SharedFile(url.path), takesCut: true)
            #expect(archive.damage == nil)
        }
        try withFile(Array(bytes[..<(ends[1] + 5)])) { url in
            #expect(throws: ByteStreamFault.self) { _ = try ZipArchive(SharedFile(url.path)) }
        }
    }

    @Test func `the one complete recording of a truncated archive is read with a warning`() throws {
        let (bytes, ends) = Self.archive(ZipBuilder.Options())
        try withFile(Array(bytes[..<(ends[0] + 40)])) { url in
            let recording = try RecordingFile.read(url)
            #expect(recording.values("heartRate") == [100, 110])
            #expect(recording.file.warnings.contains { $0.message.contains("the end of the archive is missing") })
        }
    }
}
