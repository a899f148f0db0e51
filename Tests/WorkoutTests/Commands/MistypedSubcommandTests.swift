import Foundation
import Testing

@testable import workout

@Suite struct MistypedSubcommandTests {
    private func sentence(_ arguments: String...) -> String? {
        MistypedSubcommand(arguments, of: Workout.self)?.sentence
    }

    @Test func `a mistyped subcommand gets a suggestion`() {
        #expect(
            sentence("recrod", "--activity", "running")
                == "unknown command 'recrod'. Did you mean 'record'? 'workout --help' lists all commands."
        )
        #expect(
            sentence("mirror", "lisen")?.hasPrefix(
                "unknown command 'lisen'. Did you mean 'listen'?") == true)
        #expect(
            sentence("xyzzyxyzzy") == "unknown command 'xyzzyxyzzy'. 'workout --help' lists all commands.")
    }

    @Test func `existing names and options get no suggestion`() {
        for arguments in [["record"], ["mirror", "listen"], ["show", "recrod"], ["--helpp"], ["help", "record"], []] {
            #expect(MistypedSubcommand(arguments, of: Workout.self) == nil, "\(arguments)")
        }
    }

    @Test func `typed text moves no cursor`() {
        #expect(sentence("\u{1B}[2J")?.contains("\u{1B}") == false)
    }
}

@Suite(.needsCommand) struct CompletionTests {
    @Test func `types, profiles and workouts are completed`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let file = SampleRecordingsTests.folder.appending(path: "easy-run.jsonl").path
        #expect(try await command.run("replay", file, "--speed", "max", "--save", "--keep-dates").status == 0)
        func complete(_ arguments: String...) async throws -> [Substring] {
            try await command.start(["---completion"] + arguments).end().output.split(separator: "\n")
        }
        #expect(try await complete("show", "--", "positional@0", "0", "0", "").contains("0E32F04E"))
        #expect(try await complete("stats", "--", "positional@0", "0", "0", "").contains("heartRate"))
        let script = try await command.run("--generate-completion-script", "bash").output
        #expect(script.contains("easyRun") && script.contains("swimBikeRun"))
    }

    @Test func `a mistyped subcommand is wrong usage`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let outcome = try await command.run("recrod")
        #expect(outcome.status == 64 && outcome.errors.contains("Did you mean 'record'"))
    }
}
