import Foundation
import Testing

@Suite(.needsCommand) struct DiffCommandTests {
    private static let recordings = SampleRecordingsTests.folder

    @Test func `a recording equals its summary and its stored workout`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let recording = Self.recordings.appending(path: "intervals.jsonl").path
        let summary = Self.recordings.appending(path: "intervals.summary.json").path
        let replayed = command.home.appending(path: "replayed.json")
        let text = try await command.run("replay", recording, "--speed", "max", "--json").output
        try text.write(to: replayed, atomically: true, encoding: .utf8)
        #expect(try await command.run("diff", summary, replayed.path).status == 0)
        let whole = try await command.run("diff", recording, summary)
        #expect(whole.status == 0, "\(whole.all)")
        let itself = try await command.run("diff", recording, recording)
        #expect(itself.status == 0 && itself.all.isEmpty, "\(itself.all)")
    }

    @Test func `each difference is a line, and the exit status is 1`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let easy = Self.recordings.appending(path: "easy-run.summary.json").path
        let text = try String(contentsOfFile: easy, encoding: .utf8)
        let other = command.home.appending(path: "other.json")
        let duration = try #require(text.firstMatch(of: #/"duration":([0-9.]+)/#)).1
        try text.replacing("\"duration\":\(duration)", with: "\"duration\":1")
            .write(to: other, atomically: true, encoding: .utf8)
        let outcome = try await command.run("diff", easy, other.path)
        #expect(outcome.status == 1)
        #expect(outcome.output == "workout.duration: \(duration), not 1\n")
        let json = try await command.run("diff", easy, other.path, "--json")
        #expect(json.output == #"{"path":"workout.duration","first":"\#(duration)","second":"1"}"# + "\n")
        #expect(try await command.run("diff", easy, other.path, "--tolerance", "duration=100%").status == 0)
        #expect(try await command.run("diff", easy, other.path, "--tolerance", "average=100%").status == 1)
    }

    @Test func `a comparison that is impossible is reported with its status`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let easy = Self.recordings.appending(path: "easy-run.summary.json").path
        #expect(try await command.run("diff", easy, easy, "--tolerance", "much").status == 64)
        #expect(try await command.run("diff", easy, "no such workout").status == 64)
        #expect(try await command.run("diff", easy, "8F3A").status == 65)
        #expect(try await command.run("diff", easy, command.home.path).status == 65)
    }
}
