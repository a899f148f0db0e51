import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITFileTests {
    @Test func `FIT is recognized by its first twelve bytes`() {
        let file = FITBytes.run().file()
        #expect(FITFile.isFIT(prefix: file))
        #expect(FITFile.isFIT(prefix: file.prefix(FITFile.prefixLength)))
        #expect(FITFile.isFIT(prefix: Data(file)))
        #expect(!FITFile.isFIT(prefix: file.prefix(11)))
        #expect(!FITFile.isFIT(prefix: []))
        #expect(!FITFile.isFIT(prefix: Array("<?xml version".utf8)))
    }

    @Test func `a file that is not FIT is an error`() {
        let error = #expect(throws: FITFileError.self) { try FITFile.read(bytes: Array("<?xml version".utf8)) }
        #expect(error?.description == "this is not a FIT file: bytes 8 to 11 should be .FIT")
    }

    @Test func `a missing file is an error with its path`() {
        let error = #expect(throws: RecordingError.self) { try FITFile.read(URL(filePath: "/nowhere/run.fit")) }
        #expect(error?.description.hasPrefix("cannot read /nowhere/run.fit: ") == true)
    }

    @Test func `a file read in pieces equals the file read whole`() throws {
        let bytes = FITBytes.run(count: 40_000).file()
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).fit")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try FITFile.read(url) == FITFile.read(bytes: bytes))
        #expect(try FITFile.survey(url).messages == [0: 1, 18: 1, 19: 1, 20: 40_000, 21: 2])
    }
}
