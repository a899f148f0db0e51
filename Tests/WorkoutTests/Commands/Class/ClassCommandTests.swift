import Foundation
import Testing

@testable import workout

/// `workout class` as a user types it.
@Suite struct ClassCommandTests {
    private func roster(_ command: BuiltCommand, _ text: String) throws -> String {
        let file = command.home.appending(path: "tuesday.csv")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private struct Outcome: Decodable {
        struct Athlete: Decodable {
            struct Workout: Decodable { var id: UUID }
            var name: String
            var result: String
            var workout: Workout?
        }
        var folder: String?
        var athletes: [Athlete]
    }

    @Test func `everybody gets a workout and a log that can be imported`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let file = try roster(
            command,
            """
            name,sensors,maximum-heart-rate,phone
            Anna,simulate?seed=1,188,1
            Ben/Bo,"simulate:ride?seed=2",,2
            """)
        let outcome = try await command.run("class", file, "--duration", "2s", "--activity", "cycling", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("the column 'phone' is not used"))
        let result = try JSONDecoder().decode(Outcome.self, from: Data(outcome.output.utf8))
        #expect(result.athletes.map(\.name) == ["Anna", "Ben/Bo"])
        #expect(result.athletes.allSatisfy { $0.result == "saved" })
        let folder = command.home.appending(path: "tuesday")
        #expect(result.folder == folder.path)
        let logs = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(logs.count == 2 && logs.contains { $0.hasSuffix(" Ben_Bo.jsonl") }, "\(logs)")
        // The coach's own store has none of the workouts.
        #expect(try await command.run("list", "--json").output.isEmpty)
        let imported = try await command.run("import", folder.appending(path: logs[0]).path)
        #expect(imported.status == 0, "\(imported.errors)")
        let ids = result.athletes.compactMap(\.workout?.id.uuidString)
        let listed = try await command.run("list", "--json").output
        #expect(ids.contains { listed.contains($0) }, "\(listed)")
    }

    @Test func `impossible combinations are rejected before anything starts`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let nobody = command.home.appending(path: "nobody.csv").path
        let missing = try await command.run("class", nobody)
        #expect(missing.status == 66 || missing.status == 65)
        #expect(missing.errors.contains("workout class add NAME --file \(nobody)"))
        let wrong = try await command.run("class", try roster(command, "name,mass\nAnna,9000\n"))
        #expect(wrong.status == 65 && wrong.errors.contains("line 2: Anna: mass must be 1 to 700 kg, not '9000'"))
        let bare = try await command.run("class", try roster(command, "name\nAnna\n"))
        #expect(bare.status == 65 && bare.errors.contains("Anna has no sensor"))
        let echo = try await command.run(
            "class", try roster(command, "name\nAnna\n"), "--from", "nats://h", "--publish", "nats://h")
        #expect(echo.status == 64 && echo.errors.contains("would hear itself"))
    }

    @Test func `people are added to the roster, each once`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let file = command.home.appending(path: "new.csv").path
        let first = try await command.run("class", "add", "Anna", "simulate?seed=1", "--file", file)
        #expect(first.status == 0 && first.output.contains("Added Anna to \(file)."), "\(first.all)")
        #expect(try await command.run("class", "add", "Ben, jun.", "simulate?seed=2", "--file", file).status == 0)
        let again = try await command.run("class", "add", "Anna", "simulate", "--file", file)
        #expect(again.status == 65 && again.errors.contains("'Anna' is in the file twice"))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try ClassRoster(text).athletes.map(\.name) == ["Anna", "Ben, jun."])
        let outcome = try await command.run("class", file, "--duration", "1s", "--output", command.home.path + "/logs")
        #expect(outcome.status == 0 && outcome.output.contains("Ben, jun."), "\(outcome.all)")
    }
}
