import ArgumentParser
import Foundation
import Testing

@testable import workout

private let systemdAnalyze: String? = {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
    process.arguments = ["--version"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.firstMatch(of: #/^systemd (\d+)/#).flatMap { Int($0.1) }.flatMap { $0 >= 250 ? text : nil }
}()

/// `Sources/workout/Packaging/install`, which `make install`, `make uninstall` and `make deb` run, with the built command.
@Suite(
    .needsCommand,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "the manual is written by python3"))
struct PackagingTests {
    private let command: BuiltCommand
    private var stage: URL { command.home.appendingPathComponent("stage") }

    init() throws { command = try BuiltCommand() }

    private func install(_ words: String, prefix: String = "/usr") async throws -> BuiltCommand.Outcome {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/workout/Packaging/install")
        // A script that runs the command is in its place: it is not stripped, and nothing large is copied.
        let caller = command.home.appendingPathComponent("workout")
        try Data("#!/bin/sh\nexec '\(BuiltCommand.executable.path)' \"$@\"\n".utf8).write(to: caller)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: caller.path)
        return try await command.shell(
            "'\(script.path)' \(words.replacingOccurrences(of: "COMMAND", with: "'\(caller.path)'"))",
            variables: ["PREFIX": prefix, "DESTDIR": stage.path, "STRIP": ":"])
    }

    private func files() -> Set<String> {
        let all = FileManager.default.enumerator(atPath: stage.path)?.compactMap { $0 as? String } ?? []
        return Set(
            all.filter {
                (try? FileManager.default.attributesOfItem(atPath: stage.path + "/" + $0)[.type]) as? FileAttributeType
                    == .typeRegular
            })
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOf: stage.appendingPathComponent(file), encoding: .utf8)
    }

    @Test func `an installation is complete and can be removed`() async throws {
        defer { command.remove() }
        let installed = try await install("COMMAND")
        #expect(installed.status == 0, "\(installed.all)")
        let files = files()
        for file in [
            "bin/workout", "lib/systemd/user/healthkit-delivery.service", "lib/systemd/user/healthkit-mirror.service",
            "lib/systemd/user/healthkit-report.service", "lib/systemd/user/healthkit-report.timer",
            "share/bash-completion/completions/workout", "share/zsh/vendor-completions/_workout",
            "share/fish/vendor_completions.d/workout.fish", "share/doc/openhealthkit/LICENSE",
            "share/doc/openhealthkit/examples/de.txt",
            "share/man/man1/workout.1",
        ] { #expect(files.contains("usr/" + file), "\(file)") }
        for unit in ["healthkit-delivery", "healthkit-mirror", "healthkit-report"] {
            #expect(try text("usr/lib/systemd/user/\(unit).service").contains("ExecStart=\"/usr/bin/workout\" "))
        }
        for unit in ["healthkit-delivery", "healthkit-mirror", "healthkit-report"] {
            let text = try text("usr/lib/systemd/user/\(unit).service")
            #expect(text.contains("\nNoNewPrivileges=yes\n") && !text.contains("@sandbox@"), "\(unit)")
        }
        #expect(files.contains("usr/lib/systemd/user-generators/healthkit-sandbox"))
        // Another program's page with such a name stays, and so does a language.
        let others: Set = ["usr/share/man/man1/workout-log.1", "usr/share/healthkit/languages/xx.txt"]
        for other in others { try Data(".TH WORKOUT-LOG 1\n".utf8).write(to: stage.appendingPathComponent(other)) }
        #expect(try await install("--remove").status == 0)
        #expect(self.files() == others)
    }

    @Test func `each command has a page with each of its options`() async throws {
        defer { command.remove() }
        #expect(try await install("COMMAND").status == 0)
        let commands = Workout.configuration.subcommands
        #expect(commands.count > 20)
        for command in commands {
            let name = try #require(command.configuration.commandName)
            let page = try text("usr/share/man/man1/workout-\(name).1")
            let words = Workout.helpMessage(for: command, columns: 10_000)
            for option in words.matches(of: #/(?m)^ +(?:-[a-z], )?--([a-z0-9-]+)/#) {
                let escaped = option.1.replacingOccurrences(of: "-", with: "\\-")
                #expect(page.contains("\\fB\\-\\-\(escaped)\\fR"), "\(name) \(option.1)")
            }
        }
        #expect(try text("usr/share/man/man1/workout.1").contains("HEALTHKIT_MIRROR_DISCOVERY"))
    }

    @Test func `user units are installed where systemd finds them`() async throws {
        defer { command.remove() }
        #expect(try await install("COMMAND", prefix: "/home/me/.local").status == 0)
        let unit = try text("home/me/.local/share/systemd/user/healthkit-delivery.service")
        #expect(unit.contains("ExecStart=\"/home/me/.local/bin/workout\" "))
    }

    @Test(.enabled(if: systemdAnalyze != nil, "there is no systemd-analyze of systemd 250 or newer"))
    func `services run in a sandbox`() async throws {
        defer { command.remove() }
        #expect(try await install("COMMAND").status == 0)
        for unit in ["healthkit-delivery", "healthkit-mirror", "healthkit-report"] {
            let path = stage.path + "/usr/lib/systemd/user/\(unit).service"
            // A threshold of 20 is an exposure of 2.0.
            let rated = try await command.shell(
                "systemd-analyze --user security --offline=true --threshold=20 --no-pager '\(path)'",
                variables: ["XDG_RUNTIME_DIR": command.home.path])
            #expect(rated.status == 0, "\(rated.all)")
        }
    }

    @Test func `without user namespaces a service keeps the rest of its sandbox`() async throws {
        defer { command.remove() }
        let tools = command.home.appendingPathComponent("tools")
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
        let generator = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/workout/Packaging/healthkit-sandbox").path
        for (status, count) in [(0, 0), (1, 3)] {
            let unshare = tools.appendingPathComponent("unshare")
            try Data("#!/bin/sh\nexit \(status)\n".utf8).write(to: unshare)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: unshare.path)
            let folder = command.home.appendingPathComponent("generated-\(status)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let outcome = try await command.shell("PATH='\(tools.path)':$PATH '\(generator)' '\(folder.path)'")
            #expect(outcome.status == 0, "\(outcome.all)")
            let units = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(units.count == count)
            for unit in units {
                let text = try String(contentsOfFile: folder.path + "/\(unit)/without-namespaces.conf", encoding: .utf8)
                #expect(text.hasPrefix("[Service]\n") && !text.contains("NoNewPrivileges"))
            }
        }
    }

    @Test func `an invalid prefix and a missing build are errors`() async throws {
        defer { command.remove() }
        let relative = try await install("COMMAND", prefix: "usr")
        #expect(relative.status == 64 && relative.errors.contains("absolute"))
        let missing = try await install("/nowhere/workout")
        #expect(missing.status == 66 && missing.errors.contains("make build"))
        #expect(files().isEmpty)
    }
}
