import Foundation
import Testing

/// The built command on a store of its own.
@Suite struct CommandLineTests {
    /// Beside the test bundle, where SwiftPM puts it.
    static let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("workout")

    private let store = FileManager.default.temporaryDirectory
        .appendingPathComponent("CommandLineTests-\(UUID().uuidString)")

    private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = Self.command
        process.arguments = arguments
        process.environment = [
            "HEALTHKIT_STORE": store.appendingPathComponent("health.sqlite").path, "HOME": store.path, "TZ": "UTC",
        ]
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: read, as: UTF8.self), String(decoding: said, as: UTF8.self))
    }

    // Skipped where the tests were built without the command.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: command.path)))
    func `a replay is stored, shown and deleted by one process after the other`() throws {
        defer { try? FileManager.default.removeItem(at: store) }
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        #expect(try run("replay", recording, "--speed", "max").status == 0)
        #expect(try run("list", "--json").output.isEmpty)
        #expect(try run("replay", recording, "--speed", "max", "--save", "--keep-dates").output.contains("stored as"))
        let again = try run("replay", recording, "--speed", "max", "--save", "--keep-dates")
        #expect(again.status == 0 && again.output.contains("stored already as"))
        let list = try run("list", "--json").output
        let id = try #require(list.firstMatch(of: #/"id":"([0-9A-F-]{36})"/#)?.1)
        #expect(try run("show", String(id.prefix(8)), "--json").output.contains(#""workout":{"id":"\#(id)""#))
        let refused = try run("delete", String(id))
        #expect(refused.status == 64 && refused.errors.contains("--yes"))
        #expect(try run("delete", String(id), "--yes").status == 0)
        #expect(try run("show", String(id)).status == 65)
        #expect(try run("samples", "heartRate").output == "No samples of heartRate are stored.\n")
        #expect(try run("samples", "nonsense").status == 64)
    }
}
