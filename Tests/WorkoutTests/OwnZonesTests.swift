import Analytics
import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// The zone of a heart rate is the same wherever it is shown.
@Suite struct OwnZonesTests {
    private let runs = StoredRuns()

    private func define(_ zones: String..., from days: [String?]) throws {
        var profile = StoredProfile()
        profile.restingHeartRate = 56
        profile.maximumHeartRate = 188
        for (text, day) in zip(zones, days) {
            let definition = try #require(HeartRateZoneDefinition(text))
            profile.heartRateZones = profile.heartRateZones.adding(
                DatedZones(from: day.flatMap { CivilDay(stated: $0) }, definition))
        }
        try runs.database.store(profile)
    }

    private func edges(_ day: String) throws -> [Double]? {
        runs.environment.wearer(at: try Date(day + "T12:00Z"))?.heartRateZones?.lowerBounds
    }

    @Test func `zones hold from their day on, and a profile stores them`() throws {
        try define("120,140,160", "50,75%max", "50,60%reserve", from: [nil, "2026-01-01", "2026-06-01"])
        #expect(try edges("2025-12-30") == [120, 140, 160])
        #expect(try edges("2026-01-02") == [94, 141])
        #expect(try edges("2026-05-30") == [94, 141])
        #expect(try edges("2026-06-02") == [122, 135.2])
        try define("120,140,160", from: ["2026-01-01"])
        #expect(try edges("2025-12-30")?.count == 5)
    }

    @Test func `the live view, show and analyze count the same zones`() async throws {
        try define("100,130,150", from: [nil])
        let file = SampleRecordingsTests.folder.appendingPathComponent("intervals.jsonl")
        let recording = try RecordingFile.read(file)
        let wearer = runs.environment.wearer(at: try #require(recording.facts.start))
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, wearer: wearer, id: recording.id, saves: true,
            environment: runs.environment)
        let finished = try await run.run()
        let live = try #require(finished.state.timeInZone)
        #expect(live.zones.lowerBounds == [100, 130, 150])
        let summary = try Show.parse([recording.id.uuidString]).summary(runs.database, wearer: wearer)
        #expect(summary.zones == finished.state.zones && summary.zones.count == 3)
        for name in [recording.id.uuidString, file.path] {
            let report = try await Analyze.parse([name, "--wearer", "profile"]).report(of: name, runs.environment)
            #expect(report.summary.zones == summary.zones)
            #expect(report.bounds(ofZone: 2) == 130..<150)
        }
        #expect(LiveSnapshot(run, speed: nil).zoneCount == 3)
    }

    @Test func `zones whose reference heart rate was removed are missing, not the default ones`() throws {
        try define("50,75%max", from: [nil])
        var profile = try runs.database.storedProfile()
        profile.maximumHeartRate = nil
        try runs.database.store(profile)
        #expect(runs.environment.wearer(at: Date())?.heartRateZones == nil)
    }

    @Test func `workout profile stores, validates and removes zones`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let first = try await command.run("profile", "--zones", "120,140,160", "--json")
        #expect(first.output.contains(#""heartRateZones":[{"zones":"120,140,160"}]"#), "\(first.all)")
        let second = try await command.run("profile", "--zones", "130,150", "--zones-from", "2026-02-01")
        #expect(second.output.contains("130,150 from 2026-02-01 on"), "\(second.all)")
        let reserve = try await command.run("profile", "--zones", "50,60%reserve")
        #expect(reserve.status == 64 && reserve.errors.contains("--resting-heart-rate"), "\(reserve.all)")
        let wrong = try await command.run("profile", "--zones", "160,140")
        #expect(wrong.status == 64 && wrong.errors.contains("not '160,140'"), "\(wrong.all)")
        let day = try await command.run("profile", "--zones-from", "2026-02-01")
        #expect(day.status == 64, "\(day.all)")
        let none = try await command.run("profile", "--zones", "none", "--json")
        #expect(none.status == 0 && !none.output.contains("heartRateZones"), "\(none.all)")
        let thresholds = try await command.run("profile", "--ventilatory-thresholds", "165,140")
        #expect(thresholds.status == 64, "\(thresholds.all)")
    }
}
