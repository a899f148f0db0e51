import Foundation
import Testing

/// Files that this package exported, imported again.
@Suite(.needsCommand) struct ImportOwnExportTests {
    private let command: BuiltCommand

    init() throws { command = try BuiltCommand() }

    private func ids() async throws -> Set<String> {
        let lines = try await command.run("list", "--json").output.split(separator: "\n")
        return Set(
            try lines.compactMap {
                let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                return object?["id"] as? String
            })
    }

    @Test(arguments: ["fit", "tcx", "csv"])
    func `an export of all workouts imported into its own store adds and replaces nothing`(
        format: String
    ) async throws {
        defer { command.remove() }
        let made = try await command.run(
            "simulate", "--start", "2026-03-01", "--every", "1d", "--count", "3", "--duration", "2m", "--save")
        #expect(made.status == 0, "\(made.all)")
        let before = try await ids()
        #expect(before.count == 3)
        let folder = command.home.appending(path: "all").path
        let exported = try await command.run("export", "--all", "--format", format, "-o", folder)
        #expect(exported.status == 0, "\(exported.all)")
        let again = try await command.run("import", folder)
        #expect(again.output.hasSuffix("3 recordings: 0 imported, 3 already stored\n"), "\(again.all)")
        #expect(try await ids() == before)
        // Another store stores them with the same identities.
        let other = command.home.appending(path: "other.sqlite").path
        let moved = try await command.run("import", folder, variables: ["HEALTHKIT_STORE": other])
        #expect(moved.status == 0, "\(moved.all)")
        let listed = try await command.run("list", "--json", variables: ["HEALTHKIT_STORE": other])
        for id in before { #expect(listed.output.contains(id)) }
    }

    @Test func `a store is no recording, and the error names the way to import its workouts`() async throws {
        defer { command.remove() }
        let other = command.home.appending(path: "other.sqlite").path
        let made = try await command.run(
            "simulate", "--start", "2026-03-01", "--duration", "2m", "--save", variables: ["HEALTHKIT_STORE": other])
        #expect(made.status == 0, "\(made.all)")
        let refused = try await command.run("import", other)
        #expect(refused.status == 65)
        #expect(refused.errors.contains("a store of workouts, not a recording"), "\(refused.all)")
        let folder = command.home.appending(path: "all").path + "/"
        let exported = try await command.run(
            "export", "--all", "--format", "jsonl", "-o", folder, variables: ["HEALTHKIT_STORE": other])
        #expect(exported.status == 0, "\(exported.all)")
        let moved = try await command.run("import", folder)
        #expect(moved.output.hasSuffix("1 recording: 1 imported\n"), "\(moved.all)")
    }

    @Test func `an import names data without a HealthKit type`() async throws {
        defer { command.remove() }
        let file = command.home.appending(path: "walk.csv")
        let rows = (0..<30).map { "2026-03-01T10:00:\($0 < 10 ? "0" : "")\($0)Z,100,20,80\n" }.joined()
        try Data("time,hr,temperature,cadence\n\(rows)".utf8).write(to: file)
        let stored = try await command.run("import", "--json", file.path)
        #expect(
            stored.output.contains(
                #""leftOut":["cadence (no HealthKit type)","temperature (no HealthKit type)"]"#
            ),
            "\(stored.all)")
        #expect(stored.output.contains("name one to keep cadence: --activity cycling"))
        let named = try await command.run(
            "import", "--json", "--activity", "cycling", file.path,
            variables: ["HEALTHKIT_STORE": command.home.appending(path: "other.sqlite").path])
        #expect(named.output.contains(#""leftOut":["temperature (no HealthKit type)"]"#), "\(named.all)")
        #expect(!named.output.contains("names no activity"))
    }
}
