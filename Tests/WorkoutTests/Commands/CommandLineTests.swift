import Foundation
import Testing

/// The built command with a store of its own.
@Suite(.needsCommand) struct CommandLineTests {
    @Test func `a replay is stored, shown and deleted by one process after the other`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        #expect(try await command.run("replay", recording, "--speed", "max").status == 0)
        #expect(try await command.run("list", "--json").output.isEmpty)
        #expect(
            try await command.run("replay", recording, "--speed", "max", "--save", "--keep-dates").output.contains(
                "\n\nstored as"))
        let again = try await command.run("replay", recording, "--speed", "max", "--save", "--keep-dates")
        #expect(again.status == 0 && again.output.contains("\n\nalready stored as"))
        let list = try await command.run("list", "--json").output
        let id = try #require(list.firstMatch(of: #/"id":"([0-9A-F-]{36})"/#)?.1)
        #expect(
            try await command.run("show", String(id.prefix(8)), "--json").output.contains(#""workout":{"id":"\#(id)""#))
        let refused = try await command.run("delete", String(id))
        #expect(refused.status == 64 && refused.errors.contains("--yes"))
        #expect(try await command.run("delete", String(id), "--yes").status == 0)
        #expect(try await command.run("show", String(id)).status == 65)
        #expect(try await command.run("samples", "heartRate").output == "No samples of heartRate are stored.\n")
        #expect(try await command.run("samples", "nonsense").status == 64)
    }

    @Test(arguments: ["--help", "help record", "record --help", "mirror", "delivery --help", "--version"])
    func `help is printed when nothing else is possible`(arguments: String) async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let folder = command.home.appendingPathComponent(".config/healthkit")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("no JSON".utf8).write(to: folder.appendingPathComponent("config.json"))
        let help = try await command.shell(
            "workout \(arguments)", variables: ["HEALTHKIT_SIMULATE": "nonsense", "HEALTHKIT_STORE": "/proc/none"])
        #expect(help.status == 0, "\(help.all)")
        #expect(help.output.hasPrefix(arguments == "--version" ? "workout " : "OVERVIEW: ") && help.errors.isEmpty)
        // All other output is an error message.
        #expect(try await command.run("list").status == 65)
    }
}
