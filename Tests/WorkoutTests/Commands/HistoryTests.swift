import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import Testing

@testable import workout

@Suite struct HistoryTests {
    @Test func `a history is a series of different past workouts, stored once`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let arguments = [
            "simulate", "--start", "2026-01-01", "--every", "2d", "--count", "5", "--duration", "60s", "--save",
        ]
        for _ in 0..<2 {
            let outcome = try await command.start(arguments).end()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.split(separator: "\n").count == 5)
        }
        let database = SQLiteHealthDatabase(.file(command.home.appending(path: "health.sqlite").path))
        let workouts = try StoredWorkouts(database).all()
        let first = try Date("2026-01-01T08:00Z")
        #expect(workouts.map(\.startDate) == (0..<5).reversed().map { first + Double($0) * 2 * 86_400 })
        #expect(workouts.allSatisfy { $0.duration == 60 })
        let averages = workouts.map { $0.statistics(for: HKQuantityType(.heartRate))?.total.average }
        #expect(Set(averages).count == 5)
    }

    @Test func `without a count a history ends now`() throws {
        let profile = try WorkoutProfile(named: "easyRun")
        let start = try Date("2026-03-01T08:00Z")
        func history(until now: Date, count: Int? = nil) throws -> SimulatedHistory {
            try SimulatedHistory(
                profile: profile, firstSeed: 7, start: start, every: StatisticsInterval(1, .week), count: count,
                duration: 1800, now: now, calendar: .gregorian(.gmt))
        }
        #expect(try history(until: start + 14 * 86_400 + 1799).workouts.count == 2)
        let three = try history(until: start + 14 * 86_400 + 1800).workouts
        #expect(three.map(\.seed) == [7, 8, 9])
        #expect(throws: CommandFailure.self) { try history(until: start + 60) }
        #expect(try history(until: start + 60, count: 2).workouts.count == 2)
        #expect(throws: CommandFailure.self) { try history(until: start + 20_000 * 7 * 86_400) }
    }

    @Test func `a history in files equals the stored one`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let folder = command.home.appending(path: "history").path
        let history = ["simulate", "--start", "2026-01-01T07:30Z", "--every", "1w", "--count", "2", "--duration", "60"]
        #expect(try await command.start(history + ["-o", folder]).end().status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["2026-01-01T073000Z.jsonl", "2026-01-08T073000Z.jsonl"])
        #expect(try await command.start(history + ["--save"]).end().status == 0)
        let again = try await command.start(
            ["replay", "--speed", "max", "--save", "--keep-dates"] + files.map { folder + "/" + $0 }
        ).end()
        #expect(again.output.contains("already stored"))
        let imported = try await command.start(["import"] + files.map { folder + "/" + $0 }).end()
        #expect(imported.status == 0)
        let database = SQLiteHealthDatabase(.file(command.home.appending(path: "health.sqlite").path))
        #expect(try StoredWorkouts(database).all().count == 2)
    }

    @Test(arguments: [
        ["--every", "2d", "--save"], ["--count", "3"], ["--start", "2026-01-01", "--every", "2d"],
        ["--start", "2026-01-01", "--every", "2d", "-o", "-"],
        ["--start", "2026-01-01", "--every", "2d", "--count", "0", "--save"],
    ])
    func `invalid histories are rejected with a sentence`(arguments: [String]) async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let outcome = try await command.start(["simulate"] + arguments).end()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--"))
    }

    @Test(arguments: ["max", "600"])
    func `a fast simulation stored as of now does not end in the future`(speed: String) async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let before = Date()
        let outcome = try await command.run("simulate", "--duration", "20m", "--speed", speed, "--save")
        #expect(outcome.status == 0, "\(outcome.all)")
        let database = SQLiteHealthDatabase(.file(command.home.appending(path: "health.sqlite").path))
        let workout = try #require(try StoredWorkouts(database).all().first)
        #expect(workout.duration == 1200)
        #expect(workout.endDate <= Date() && workout.endDate > before - 120)
    }
}
