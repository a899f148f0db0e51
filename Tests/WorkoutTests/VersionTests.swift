import Foundation
import Testing

@testable import workout

@Suite struct VersionTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `an unknown commit is not shown`() {
        #expect(Version.line(commit: "df651de0a1b2") == "workout \(Version.number) (df651de0a1b2)")
        #expect(Version.line(commit: "") == "workout \(Version.number)")
    }

    @Test(.needsCommand) func `the command prints its version`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        #expect(try await command.run("--version").output == Version.line + "\n")
    }

    @Test func `the changes of this version have a heading`() throws {
        let changes = try String(contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        #expect(changes.split(separator: "\n").contains { $0.hasPrefix("## \(Version.number)") })
    }
}
