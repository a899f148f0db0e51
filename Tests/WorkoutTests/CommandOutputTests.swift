import ArgumentParser
import Foundation
import HealthKit
import StoredWorkouts
import Synchronization
import Testing
import Web

@testable import workout

@Suite struct CommandOutputTests {
    /// A title, a bell, a change of the writing direction, a C1 control, DEL, and several line ends.
    static let hostile =
        "a\u{1B}]0;t\u{7}b\u{202E}c\u{9B}31m\u{7F}d\ne\u{2028}f\u{2029}g\r\u{2066}h\u{200F}\u{61C}i\u{85}j"

    private static func printed(_ body: (CommandOutput) -> Void) -> String {
        let pipe = Pipe()
        let output = CommandOutput(pipe.fileHandleForWriting.fileDescriptor)
        body(output)
        output.flush()
        try? pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test func `a name moves no cursor, reverses no text and adds no line`() {
        #expect(Self.printed { $0.print(Self.hostile) } == "a]0;tbc31md e f g hi j\n")
        #expect(Self.printed { $0.print(prompt: "Is it \(Self.hostile)? ") } == "Is it a]0;tbc31md e f g hi j? ")
        #expect(Self.printed { $0.print("Ärger 跑步 🏃 e\u{301}") } == "Ärger 跑步 🏃 e\u{301}\n")
    }

    @Test func `a style's own escape sequences stay, and no others`() {
        let line = StyledLine("a", .bold).text(.basic) + "\u{1B}[2J\u{1B}]0;t\u{7}\u{1B}[?1049h"
        #expect(Self.printed { $0.print(styled: [line, "b\nc"]) } == "\u{1B}[1ma\u{1B}[0m[2J]0;t[?1049h\nb c\n")
        let table = ColumnTable(columns: [.init(title: "name")], rows: [.values(["\u{1B}[31mred\u{1B}[8m"])])
        let page = Page(capability: TerminalCapability(colour: .basic, unicode: true))
        #expect(Self.printed { $0.print(styled: table.lines(page)) }.hasSuffix("\n[31mred[8m\n"))
    }

    @Test func `JSON keeps the value and is as harmless`() throws {
        let text = JSONText.object([("name\u{202E}", .string(Self.hostile + "\u{E0001}"))]).text
        #expect(!text.unicodeScalars.contains(where: PrintableText.isHarmful))
        #expect(Self.printed { $0.print(text) } == text + "\n")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
        #expect(object == ["name\u{202E}": Self.hostile + "\u{E0001}"])
    }

    @Test func `the journal is recognized as the destination, and the key is not printed there`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        let journal = ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]
        #expect(CommandOutput.isJournal(descriptor, variables: journal))
        // A process started by a service has the variable, too.
        #expect(!CommandOutput.isJournal(Pipe().fileHandleForWriting.fileDescriptor, variables: journal))
        #expect(!CommandOutput.isJournal(descriptor, variables: [:]))
        let key = try #require(WebKey("k3x9-01ab-cdef-ghjk"))
        let links = ["https://192.0.2.7:8421/"]
        #expect(Serve.heading(links, key, nil, Page()).joined().contains(key.text))
        let logged = Serve.heading(links, nil, nil, Page()).joined(separator: "\n")
        #expect(logged.contains(links[0]) && logged.contains("workout serve --qr") && !logged.contains(key.text))
    }

    @Test func `a full disk is reported at the end, and observers learn of it at once`() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let output = CommandOutput(full)
        let calls = Mutex(0)
        output.whenClosed { calls.withLock { $0 += 1 } }
        output.print("a")
        output.flush()
        output.print("b")
        output.flush()
        #expect(output.isClosed)
        #expect(calls.withLock { $0 } == 1)
        let failure = #expect(throws: CommandFailure.self) { try output.finish() }
        #expect(failure?.exitCode == .outputFault)
        #expect(failure?.message.contains("No space left on device") == true)
    }

    @Test func `a reader that closes the pipe is not a fault`() throws {
        CommandOutput.prepare()
        let pipe = Pipe()
        let output = CommandOutput(pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        output.print("a")
        output.flush()
        #expect(output.isClosed)
        try output.finish()
        let calls = Mutex(0)
        output.whenClosed { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1)
    }
}

/// The output of the built command.
@Suite(.needsCommand) struct CommandStreamsTests {
    private let command: BuiltCommand

    init() throws { command = try BuiltCommand() }

    @Test(arguments: [
        "list", "stats heartRate --json", "--help", "--version", "simulate -o -", "samples heartRate", "profile --json",
        "sensors", "permissions --json", "delivery list", "simulate --duration 60 --speed max --json",
        "doctor --wait 1 --json", "--generate-completion-script bash",
    ])
    func `a full disk behind standard output is reported with an exit status`(arguments: String) async throws {
        defer { command.remove() }
        let outcome = try await command.shell("workout \(arguments) >/dev/full")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("error: standard output cannot be written"))
        #expect(outcome.errors.contains("No space left on device"))
    }

    @Test func `a closed pipe ends commands that only print, and nothing that is being stored`() async throws {
        defer { command.remove() }
        let printed = try await command.shell("workout simulate --duration 10h -o - | head -n 1 | wc -l")
        #expect(printed.status == 0)
        #expect(printed.errors.isEmpty)
        let saved = try await command.shell(
            "{ workout simulate --duration 60 --speed 60 --save; echo $? >&2; } | true; workout list --json | wc -l")
        #expect(saved.errors == "0\n")
        #expect(saved.output.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
    }

    @Test func `a store is never opened as a closed standard output`() async throws {
        defer { command.remove() }
        let outcome = try await command.shell("workout profile --mass 70 >&-")
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("Bad file descriptor"))
        #expect(try await command.run("profile", "--json").output == "{\"massInKilograms\":70}\n")
    }

    @Test func `typed text adds no line of its own`() async throws {
        defer { command.remove() }
        let line = "x\nerror: all is well\u{1B}[2J\u{202E}"
        for arguments in [
            ["--\(line)"], ["stats", line], ["list", "--from=\(line)"], ["show", line], ["import", line],
        ] {
            let outcome = try await command.start(arguments).end()
            #expect(outcome.status != 0)
            #expect(!outcome.all.contains("\nerror: all"))
            #expect(!outcome.all.unicodeScalars.contains { $0 != "\n" && PrintableText.isHarmful($0) })
        }
    }
}
