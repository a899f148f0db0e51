import Foundation
import Testing

@testable import workout

/// `workout recover` without a store, and with unreadable journals.
@Suite(.needsCommand) struct RecoverCommandTests {
    /// A file that is no store, a folder, a path through a file, a folder that cannot be created.
    @Test(arguments: ["/etc/passwd", "/tmp", "/etc/passwd/health.sqlite", "/proc/none/health.sqlite"])
    func `an unavailable store is an error, as for every command`(path: String) async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let listed = try await command.run("list", variables: ["HEALTHKIT_STORE": path])
        let recovered = try await command.run("recover", variables: ["HEALTHKIT_STORE": path])
        #expect(recovered.status == 69 && recovered.output.isEmpty)
        #expect(recovered.errors == listed.errors)
    }

    @Test func `a journal whose name moves the cursor is named harmlessly`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let store = command.home.appending(path: "health.sqlite").path
        let folder = URL(fileURLWithPath: store + "-sessions")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("Dear diary".utf8).write(to: folder.appending(path: "\u{1B}[2Jgone.jsonl"))
        let outcome = try await command.run("recover", variables: ["HEALTHKIT_STORE": store])
        #expect(outcome.errors.contains("gone.jsonl.unreadable") && !outcome.errors.contains("\u{1B}"))
    }

    @Test func `a clock change is shown in whole seconds`() {
        #expect(ClockNotices.sentence(-3599.999997).contains("back by 1:00:00;"))
        #expect(ClockNotices.sentence(86_400.000004).contains("forward by 24:00:00;"))
    }
}
