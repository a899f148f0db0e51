import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// `workout edit`, `merge`, `split`, `delete` and `undo`.
@Suite struct EditCommandTests {
    private let runs = StoredRuns()
    private let page = StoredRuns.utc
    private static let now = Date(timeIntervalSinceReferenceDate: 900_000_000)

    private func edit(_ arguments: String...) throws -> HKWorkout {
        try #require(try Edit.parse(arguments).edit(runs.environment, page, at: Self.now).first)
    }

    private func undo(_ arguments: String...) throws -> [String] {
        try Undo.parse(arguments).undo(runs.environment, page, at: Self.now)
    }

    private func list() throws -> [HKWorkout] { try StoredWorkouts(runs.database).all() }

    @Test func `labels and effort are stored, and shown in list and show`() async throws {
        let id = try await runs.replay("easy-run").id
        let edited = try edit(
            id.uuidString, "--title", "To the lake", "--notes", "Windy", "--tag", "race", "--gear", "Red shoes",
            "--effort", "7")
        #expect(try list() == [edited])
        let lines = try List.parse([]).lines(runs.database, Page(columns: 200, timeZone: .gmt))
        #expect(lines.contains { $0.contains("To the lake") && $0.contains("race") })
        let summary = try Show.parse([edited.uuid.uuidString]).summary(runs.database, wearer: nil)
        let shown = SummaryTable(page: page).lines(workout: summary)
        #expect(shown.first?.hasPrefix("To the lake") == true)
        for text in ["Windy", "race", "Red shoes", "Running"] { #expect(shown.contains { $0.contains(text) }) }
        #expect(SummaryJSON.line(workout: summary).contains(#""title":"To the lake""#))
        let efforts = try runs.database.samples(
            [SampleSelection(HKQuantityType(.workoutEffortScore), .workout(edited.uuid))], sortedBy: [], limit: nil)
        #expect(efforts.count == 1)
        // The complete old ID still finds it.
        #expect(try StoredWorkouts(runs.database).workout(id.uuidString) == edited)
        _ = try undo()
        #expect(try list().map(\.uuid) == [id])
        #expect(
            try runs.database.samples([SampleSelection(HKQuantityType(.workoutEffortScore))], sortedBy: [], limit: nil)
                .isEmpty)
    }

    @Test func `workouts are trimmed, split and merged by times since the start`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        let whole = try #require(try list().first)
        let trimmed = try edit(id, "--start", "1:00", "--end", "10:00")
        #expect(trimmed.startDate == whole.startDate + 60 && trimmed.endDate == whole.startDate + 600)
        let parts = try SplitCommand.parse([trimmed.uuid.uuidString, "--at", "2m", "--at", "4:00"])
            .split(runs.environment, page, at: Self.now)
        #expect(parts.map { $0.endDate.timeIntervalSince($0.startDate) } == [120, 120, 300])
        let merged = try Merge.parse(parts.map(\.uuid.uuidString) + ["--title", "Again"])
            .merge(runs.environment, page, at: Self.now)
        #expect(merged.map(\.startDate) == [trimmed.startDate] && merged.map(\.endDate) == [trimmed.endDate])
        #expect(merged[0].labels.title == "Again")
        let meters = try #require(trimmed.metersCovered)
        #expect(abs(try #require(merged[0].metersCovered) - meters) < 1e-6)
        #expect(merged[0].averageHeartRate.map { abs($0 - (trimmed.averageHeartRate ?? 0)) < 0.1 } == true)
        #expect(try Undo.parse(["--list"]).changes(runs.environment, page, at: Self.now).count == 3)
        for _ in 0..<3 { _ = try undo() }
        #expect(try list() == [whole])
        #expect(throws: CommandFailure.self) { try undo() }
    }

    @Test func `a deletion is undone by the ID of the deleted workout`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        try await runs.replay("ride-dropouts")
        let before = try list()
        try Delete.parse([id]).deletion(runs.database).carryOut(runs.environment, page, at: Self.now)
        #expect(try list().count == 1)
        #expect(throws: CommandFailure.self) { try undo("00000000") }
        let lines = try undo(String(id.prefix(8)))
        #expect(lines.first == "Undone: delete Morning Run")
        #expect(Set(try list()) == Set(before))
    }

    @Test func `an impossible edit changes nothing`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        let ride = try await runs.replay("ride-dropouts").id.uuidString
        let before = try list()
        for arguments in [["--end", "99:00:00"], ["--start", "20:00", "--end", "10:00"]] {
            #expect(throws: HKError.self) {
                try Edit.parse([id] + arguments).edit(runs.environment, page, at: Self.now)
            }
        }
        #expect(throws: HKError.self) {
            try Merge.parse([id, ride]).merge(runs.environment, page, at: Self.now)
        }
        #expect(throws: HKError.self) {
            try SplitCommand.parse([id, "--at", "99:00:00"]).split(runs.environment, page, at: Self.now)
        }
        for arguments in [[], ["--effort", "11"], ["--tag", "a,b"], ["--end", "later"]] {
            #expect(throws: (any Error).self) { try Edit.parse([id] + arguments) }
        }
        #expect(try list() == before)
        #expect(try Undo.parse(["--list"]).changes(runs.environment, page, at: Self.now) == ["Nothing to undo."])
    }

    @Test func `a rejection names times in the workout's time zone`() throws {
        let start = Date(timeIntervalSince1970: 1_772_359_200)
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 600, duration: 600, totalEnergyBurned: nil,
            totalDistance: nil, metadata: [HKMetadataKeyTimeZone: "Asia/Kolkata"])
        let refusal = #expect(throws: HKError.self) {
            try WorkoutEdit.split(at: [start + 900]).applied(to: [.init(workout, log: [])])
        }
        #expect(refusal.map(CommandFailure.describe)?.contains("2026-03-01 15:30:00 and 2026-03-01 15:40:00") == true)
    }

    @Test func `workouts more than a day apart are not merged`() throws {
        let start = Date(timeIntervalSince1970: 1_772_359_200)
        func run(_ start: Date) -> WorkoutEdit.Content {
            let workout = HKWorkout(
                activityType: .running, start: start, end: start + 600, duration: 600, totalEnergyBurned: nil,
                totalDistance: nil, metadata: [HKMetadataKeyTimeZone: "UTC"])
            let states = [SessionEntry(start, .state(.running)), SessionEntry(start + 600, .state(.stopped))]
            return .init(workout, log: states)
        }
        let refusal = #expect(throws: HKError.self) {
            try WorkoutEdit.merge.applied(to: [run(start), run(start + 600 + 86_401)])
        }
        #expect(refusal.map(CommandFailure.describe)?.contains("More than a day lies between") == true)
        #expect(try WorkoutEdit.merge.applied(to: [run(start), run(start + 600 + 86_400)]).count == 1)
    }

    @Test func `activities of a multisport workout are split, and keep their types`() async throws {
        let id = try await runs.replay("multisport").id.uuidString
        let whole = try #require(try list().first)
        let legs = whole.namedActivities
        try #require(legs.count > 1)
        let middle = legs[1].startDate + 30
        let seconds = Int(middle.timeIntervalSince(whole.startDate))
        let parts = try SplitCommand.parse([id, "--at", "\(seconds)s"]).split(runs.environment, page, at: Self.now)
        #expect(
            parts[0].namedActivities.map(\.workoutConfiguration.activityType)
                == legs[...1].map(\.workoutConfiguration.activityType))
        #expect(
            parts[1].namedActivities.map(\.workoutConfiguration.activityType)
                == legs[1...].map(\.workoutConfiguration.activityType))
        #expect(throws: HKError.self) {
            try Edit.parse([parts[0].uuid.uuidString, "--activity", "running"])
                .edit(runs.environment, page, at: Self.now)
        }
    }
}

/// The same with files, through the built command.
@Suite(.needsCommand) struct EditedFileTests {
    private let command: BuiltCommand

    init() throws { command = try BuiltCommand() }

    private func ids(_ options: String...) async throws -> [String] {
        let lines = try await command.start(["list", "--json"] + options).end().output.split(separator: "\n")
        return try lines.compactMap {
            (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["id"] as? String
        }
    }

    @Test func `neither an edited workout's file nor an export of it brings anything back`() async throws {
        defer { command.remove() }
        let file = command.home.appending(path: "run.fit").path
        let made = try await command.run("simulate", "--start", "2026-03-01", "--duration", "5m", "-o", file)
        #expect(made.status == 0, "\(made.all)")
        #expect(try await command.run("import", file).status == 0)
        let id = try #require(try await ids().first)
        let old = command.home.appending(path: "old.tcx").path
        #expect(try await command.run("export", id, "-o", old).status == 0)
        let edited = try await command.run("edit", id, "--title", "Short", "--end", "4:50")
        #expect(edited.status == 0 && edited.output.contains("To undo this until"), "\(edited.all)")
        let new = try await ids()
        #expect(new.count == 1 && new != [id])
        let own = command.home.appending(path: "new.fit").path
        #expect(try await command.run("export", "--text", "short", "-o", own).status == 0)
        for path in [file, old, own] {
            let again = try await command.run("import", path)
            #expect(again.status == 0, "\(again.all)")
            #expect(try await ids() == new, "\(path): \(again.all)")
        }
        let shortened = try await command.run("show", "--json", new[0])
        #expect(shortened.output.contains(#""title":"Short""#), "\(shortened.all)")
        let undone = try await command.run("undo")
        #expect(undone.output.hasPrefix("Undone: trim "), "\(undone.all)")
        #expect(try await ids() == [id])
        #expect(try await command.run("undo").status == 65)
    }

    @Test func `another format of a ride is recognized after it was trimmed by half and split`() async throws {
        defer { command.remove() }
        let file = command.home.appending(path: "run.jsonl").path
        #expect(
            try await command.run("simulate", "--start", "2026-03-01", "--duration", "20m", "-o", file).status == 0)
        #expect(try await command.run("import", file).status == 0)
        let id = try #require(try await ids().first)
        var others: [String] = []
        for format in ["tcx", "gpx"] {
            let other = command.home.appending(path: "other.\(format)").path
            #expect(try await command.run("export", id, "-o", other).status == 0)
            // A file of another program does not name the workout.
            let text = try String(contentsOfFile: other, encoding: .utf8)
            let strange = text.replacingOccurrences(of: id, with: UUID().uuidString, options: .caseInsensitive)
            try Data(strange.utf8).write(to: URL(fileURLWithPath: other))
            others.append(other)
        }
        #expect(try await command.run("edit", id, "--start", "6:00", "--end", "16:00").status == 0)
        let trimmed = try await ids()
        #expect(trimmed.count == 1)
        for other in others {
            let again = try await command.run("import", other)
            #expect(again.status == 0, "\(again.all)")
            #expect(try await ids() == trimmed, "\(other): \(again.all)")
        }
        #expect(try await command.run("split", trimmed[0], "--at", "5:00").status == 0)
        let halves = try await ids()
        #expect(halves.count == 2)
        for other in others {
            let again = try await command.run("import", other)
            #expect(again.status == 0, "\(again.all)")
            #expect(try await ids() == halves, "\(other): \(again.all)")
        }
        #expect(try await command.run("import", "--keep-duplicates", others[0]).status == 0)
        #expect(try await ids().count == 3)
    }

    @Test func `long output goes through the pager on a terminal, and --no-pager prints it`() async throws {
        defer { command.remove() }
        let made = try await command.run(
            "simulate", "--start", "2026-03-01", "--every", "1d", "--count", "30", "--duration", "1m", "--save")
        #expect(made.status == 0, "\(made.all)")
        let pager = ["PAGER": "sed 's/^/PAGED /'"]
        let paged = try await command.start(["list"], variables: pager, onTerminal: true).end()
        #expect(paged.all.contains("PAGED"), "\(paged.all)")
        let plain = try await command.start(["list", "--no-pager"], variables: pager, onTerminal: true).end()
        #expect(!plain.all.contains("PAGED") && plain.all.contains("Morning"), "\(plain.all)")
        let missing = try await command.start(
            ["list"], variables: ["PAGER": "there-is-no-such-pager"], onTerminal: true
        ).end()
        #expect(missing.all.contains("2026-03-30"), "\(missing.all)")
        #expect(try await command.run("list", variables: pager).output.contains("PAGED") == false)
    }
}
