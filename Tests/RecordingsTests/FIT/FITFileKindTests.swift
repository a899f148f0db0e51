import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITFileKindTests {
    private func read(_ bytes: [UInt8]) throws(RecordingError) -> [Recording] {
        try RecordingFile.readAll(RecordingSource(path: "a.fit", bytes: bytes))
    }

    /// A file of another type that has records nevertheless, as courses do.
    private static func file(ofType type: Int64) -> [UInt8] {
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [type, 1, 2697, 123_456, FITBytes.start])
        bytes.define(2, 20, FITBytes.record)
        for second in Int64(0)..<5 { bytes.message(2, [FITBytes.start + second, 255, 300 * second, 3000]) }
        return bytes.file()
    }

    @Test(
        arguments: [
            (6, "course"), (5, "plan of a workout"), (2, "settings file"), (32, "file of a day's monitoring"),
            (9, "file of weights"),
        ] as [(Int64, String)])
    func `a file of another kind is rejected by name`(type: Int64, name: String) {
        let error = #expect(throws: RecordingError.self) { try read(Self.file(ofType: type)) }
        guard case .otherContent(let path, let content)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "a.fit" && content.singular == name)
        #expect("\(error!)".hasPrefix("cannot read a.fit as a workout: it is "))
    }

    @Test func `an activity chained to settings is read`() throws {
        let recordings = try read(Self.file(ofType: 2) + FITBytes.run().file())
        #expect(recordings.count == 1 && recordings[0].file.heartRate.count == 10)
    }

    @Test func `an unknown or missing file type is taken for an activity`() throws {
        #expect(try read(Self.file(ofType: 200)).count == 1)
        #expect(try read(Self.file(ofType: 0xFF)).count == 1)
    }
}
