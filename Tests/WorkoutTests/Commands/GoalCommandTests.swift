import ArgumentParser
import Foundation
import HealthKit
import StoredWorkouts
import Testing

@testable import workout

@Suite struct GoalCommandTests {
    private let runs = StoredRuns()

    private func save(_ activity: HKWorkoutActivityType, _ date: String, minutes: Double, meters: Double?) throws {
        let start = try Date(date)
        try runs.database.save(
            [
                HKWorkout(
                    activityType: activity, start: start, end: start + minutes * 60, workoutEvents: nil,
                    totalEnergyBurned: nil, totalDistance: meters.map { HKQuantity(unit: .meter(), doubleValue: $0) },
                    metadata: nil)
            ], from: .current)
    }

    private func set(_ arguments: String...) throws { try Goal.parse(arguments).change(runs.database) }

    private func report(at date: String) throws -> GoalReport {
        try GoalReport(in: runs.environment, at: Date(date), .gmt)
    }

    @Test func `progress counts the year and the month, and compares them with an even pace`() throws {
        try save(.running, "2026-03-01T08:00Z", minutes: 60, meters: 12_000)
        try save(.cycling, "2026-06-20T08:00Z", minutes: 120, meters: 60_000)
        try save(.running, "2026-06-25T08:00Z", minutes: 30, meters: 6_000)
        try save(.running, "2025-12-31T08:00Z", minutes: 30, meters: 6_000)
        try save(.running, "2026-08-01T08:00Z", minutes: 30, meters: 6_000)
        try set("--year", "--distance", "36km", "--activity", "running")
        try set("--month", "--time", "2h", "--workouts", "4")
        let report = try report(at: "2026-07-02T12:00Z")
        let year = try #require(report.progress.first)
        #expect(year.done == 18_000 && year.expected == 18_000 && year.share == 0.5)
        // Nothing was done in July yet, which is a known value.
        #expect(report.progress.dropFirst().map(\.done) == [0, 0])
        let june = try self.report(at: "2026-06-30T00:00Z")
        #expect(june.progress.dropFirst().map(\.done) == [9_000, 2])
        let text = DistanceUnits.$ofTask.withValue(.metric) { june.lines(StoredRuns.utc).joined(separator: "\n") }
        for words in ["2026-06", "18.00 km", "36.00 km", "2:30 h", "reached", "2 behind", "distance, running"] {
            #expect(text.contains(words), "\(words) is not in\n\(text)")
        }
        #expect(june.json?.text.contains(#""measure":"distance","unit":"m","activity":"running""#) == true)
    }

    @Test func `a total without data is unknown, not 0`() throws {
        try save(.yoga, "2026-06-20T08:00Z", minutes: 60, meters: nil)
        try set("--month", "--ascent", "1000ft")
        let report = try report(at: "2026-06-30T00:00Z")
        #expect(report.progress.map(\.done) == [nil] && abs(report.progress[0].goal.target - 304.8) < 1e-9)
        #expect(report.lines(StoredRuns.utc).last?.contains("not measured") == true)
    }

    @Test func `a goal replaces the one of the same kind, and none removes it`() throws {
        try set("--year", "--distance", "100km")
        try set("--year", "--distance", "200mi")
        try set("--year", "--distance", "50km", "--activity", "cycling")
        #expect(try TrainingGoals(in: runs.database).all.map(\.target) == [200 * 1609.344, 50_000])
        try set("--year", "--distance", "none")
        #expect(try TrainingGoals(in: runs.database).all.map(\.activity) == ["cycling"])
        try set("--year", "--distance", "none", "--activity", "cycling")
        #expect(try report(at: "2026-06-30T00:00Z").progress.isEmpty)
    }

    @Test(arguments: [
        ["--distance", "10km"], ["--year"], ["--year", "--month", "--distance", "10km"],
        ["--year", "--distance", "ten"], ["--year", "--distance", "10"], ["--year", "--ascent", "-5m"],
        ["--month", "--workouts", "2.5"], ["--month", "--time", "soon"], ["--activity", "running"],
    ])
    func `wrong options are rejected`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Goal.parse(arguments) }
    }
}
