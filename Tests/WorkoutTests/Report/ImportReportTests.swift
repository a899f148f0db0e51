import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct ImportReportTests {
    private var summary: HealthImportSummary {
        var summary = HealthImportSummary()
        summary.types = [
            "HKQuantityTypeIdentifierStepCount": .init(added: 12, known: 3),
            "HKQuantityTypeIdentifierHeartRate": .init(added: 2),
        ]
        summary.skipped = [.init(what: "ClinicalRecord", reason: "not read"): 4]
        summary.sources = ["Phone": 15, "Watch": 2]
        return summary
    }

    @Test func `the report counts what was added, known and left out, with reasons`() {
        let text = ImportReport(file: "export.xml", summary: summary, seconds: 1).lines(Page()).joined(separator: "\n")
        #expect(text.contains("14 added, 3 already stored, 4 skipped"))
        #expect(text.contains("ClinicalRecord: not read"))
        #expect(text.contains("stepCount"))
    }

    @Test func `programs get the same as JSON`() throws {
        let text = ImportReport(file: "export.xml", summary: summary, seconds: 1).json.text
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["added"] as? Int == 14)
        #expect(object["known"] as? Int == 3)
        let types = try #require(object["types"] as? [String: [String: Int]])
        #expect(types["HKQuantityTypeIdentifierStepCount"] == ["added": 12, "known": 3])
    }

    @Test func `a session log is the workout that it names, and another file the one of its bytes`() throws {
        let sessions = SampleRecordingsTests.folder.deletingLastPathComponent()
            .appendingPathComponent("Tests/Stores/2026-11/health.sqlite-sessions")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: sessions.path).first)
        let log = sessions.appendingPathComponent(name)
        let recording = try RecordingFile.read(log)
        guard case .header(let header)? = recording.entries.first?.content else {
            Issue.record("no header")
            return
        }
        #expect(try RecordingIdentity.id(of: recording, at: log) == header.id)
        var other = recording
        other.file.format = "fit"
        let id = try RecordingIdentity.id(of: other, at: log)
        #expect(id != header.id)
        #expect(try RecordingIdentity.id(of: other, at: log) == id)
    }

    @Test func `a path without a file is rejected at once with a sentence`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero"] {
            let failure = await #expect(throws: CommandFailure.self) { try await Import.parse([path]).run() }
            #expect(failure?.exitCode == .badInput)
            #expect(failure?.message.contains("it is a pipe, a socket or a device") == true)
        }
    }

    @Test func `a session of a file is a number from 1 on`() throws {
        #expect(try Replay.parse(["run.fit"]).session == nil)
        #expect(try Replay.parse(["run.fit", "--session", "2"]).session == 2)
        for wrong in ["0", "-1", "two", "1.5"] {
            #expect(throws: (any Error).self) { try Replay.parse(["run.fit", "--session=\(wrong)"]) }
        }
    }
}
