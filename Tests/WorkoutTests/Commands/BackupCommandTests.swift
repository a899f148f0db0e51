import Foundation
import Testing

/// `workout backup` and `workout restore`, from one machine to another.
@Suite(.needsCommand, .timeLimit(.minutes(10))) struct BackupCommandTests {
    private static let save = ["simulate", "--duration", "2m", "--speed", "max", "--save"]
    private let old: BuiltCommand
    private let new: BuiltCommand
    private var file: String { old.home.appending(path: "b.sqlite").path }

    init() throws {
        old = try BuiltCommand()
        new = try BuiltCommand()
    }

    private func remove() {
        old.remove()
        new.remove()
    }

    private func files(in command: BuiltCommand, with part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: command.home.path).filter { $0.contains(part) }
    }

    @Test func `a new machine has the old one's data, including waiting sessions and settings`() async throws {
        defer { remove() }
        #expect(try await old.start(Self.save).end().status == 0)
        let journals = old.home.appending(path: "health.sqlite-sessions")
        try FileManager.default.createDirectory(
            at: journals, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let id = "00112233-4455-6677-8899-AABBCCDDEEFF"
        let log = """
            {"at":"2026-01-02T03:04:05.000Z","log":1,"id":"\(id)","activity":"running"}
            {"at":"2026-01-02T03:04:05.000Z","state":"running"}
            {"at":"2026-01-02T03:14:05.000Z","sample":"heartRate","value":142,"unit":"count/min"}

            """
        try Data(log.utf8).write(to: journals.appending(path: id + ".jsonl"))
        let settings = old.home.appending(path: ".config/healthkit")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        try Data(#"{"log":"quiet"}"#.utf8).write(to: settings.appending(path: "config.json"))

        let written = try await old.run("backup", file)
        #expect(written.output == "\(file)  1 workout, 1 session to recover\n")
        let restored = try await new.run("restore", file, "--yes")
        #expect(restored.status == 0)
        #expect(restored.output == "Restored: 1 workout, 1 session to recover.\n")
        #expect(try await new.run("list", "--json").output == old.run("list", "--json").output)
        let kept = new.home.appending(path: ".config/healthkit/config.json")
        #expect(try Data(contentsOf: kept) == Data(#"{"log":"quiet"}"#.utf8))
        #expect(try await new.run("recover", "--json").output.contains(id))
    }

    @Test func `earlier data is kept, and can be restored`() async throws {
        defer { remove() }
        #expect(try await old.start(Self.save).end().status == 0)
        #expect(try await new.start(Self.save + ["--seed", "2"]).end().status == 0)
        let before = try await new.run("list", "--json").output
        #expect(try await old.run("backup", file).status == 0)
        #expect(try await new.run("restore", file, "--yes").status == 0)
        #expect(try await new.run("list", "--json").output == old.run("list", "--json").output)
        let kept = try #require(try files(in: new, with: "before-restore").first)
        #expect(try await new.run("restore", new.home.appending(path: kept).path, "--yes").status == 0)
        #expect(try await new.run("list", "--json").output == before)
    }

    @Test func `nothing is replaced without a question`() async throws {
        defer { remove() }
        #expect(try await old.start(Self.save).end().status == 0)
        #expect(try await old.run("backup", file).status == 0)
        #expect(try await old.run("backup", file).status == 65)
        #expect(try await old.run("backup", file, "--force").status == 0)
        #expect(try await new.run("restore", file).status == 64)
        #expect(try await new.run("restore", "/etc/passwd", "--yes").status == 65)
        #expect(try files(in: new, with: "health.sqlite").isEmpty)
        #expect(try await old.run("backup", file, variables: ["HEALTHKIT_STORE": "memory"]).status == 65)

        let asked = try old.start(["restore", file], onTerminal: true)
        #expect(await asked.says("Restore it? [y/N] "))
        try asked.type("n\n")
        #expect(await asked.end().status == 130)
        #expect(try files(in: old, with: "before-restore").isEmpty)
    }

    @Test func `a backup can be piped`() async throws {
        defer { remove() }
        #expect(try await old.start(Self.save).end().status == 0)
        let store = new.home.appending(path: "health.sqlite").path
        let piped = try await old.shell("workout backup - | HEALTHKIT_STORE=\(store) workout restore - --yes")
        #expect(piped.output == "Restored: 1 workout.\n")
        #expect(try await new.run("list", "--json").output == old.run("list", "--json").output)
    }

    @Test(arguments: [
        ("", "not a backup"), ("no backup at all, in no way", "not a backup"), ("Salted__12345678abc", "encrypted"),
        ("age-encryption.org/v1\n-> scrypt", "encrypted"),
    ])
    func `an unusable backup is named as the user knows it, with the reason`(
        content: String, reason: String
    ) async throws {
        defer { remove() }
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        let named = try await new.run("restore", file, "--yes")
        #expect(named.status == 65 && named.errors.contains(reason) && named.errors.contains(file), "\(named.errors)")
        let piped = try await new.shell("workout restore - --yes < '\(file)'")
        #expect(piped.status == 65, "\(piped.errors)")
        #expect(piped.errors.contains("standard input cannot be restored: it is \(reason)"), "\(piped.errors)")
        let missing = try await new.run("restore", file + "x", "--yes")
        #expect(missing.status == 65 && missing.errors.contains("does not exist"), "\(missing.errors)")
    }

    @Test func `the store is one file after each command`() async throws {
        defer { remove() }
        #expect(try await old.start(Self.save).end().status == 0)
        try FileManager.default.copyItem(
            at: old.home.appending(path: "health.sqlite"), to: new.home.appending(path: "health.sqlite"))
        #expect(try await new.run("list", "--json").output == old.run("list", "--json").output)
    }

    @Test(arguments: ["mysql://me:secret@host/db", "foo://x"])
    func `a store address of an unknown kind is rejected, and creates no folder`(address: String) async throws {
        defer { remove() }
        let outcome = try await new.run("list", variables: ["HEALTHKIT_STORE": address, "PWD": new.home.path])
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("names a store by") && !outcome.errors.contains("secret"))
        let scheme = String(address.prefix { $0 != ":" } + ":")
        #expect(!FileManager.default.fileExists(atPath: scheme))
        let settings = new.home.appending(path: ".config/healthkit")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        try Data(#"{"store":"\#(address)"}"#.utf8).write(to: settings.appending(path: "config.json"))
        let configured = try await new.run("record", "--start", variables: ["HEALTHKIT_STORE": ""])
        #expect(configured.status == 65 && configured.errors.contains("names a store by"))
    }
}
