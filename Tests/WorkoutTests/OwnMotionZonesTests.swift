import Analytics
import ArgumentParser
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// Time in zones of power and pace is the same wherever it is shown.
@Suite struct OwnMotionZonesTests {
    private let runs = StoredRuns()
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func define(_ change: (inout StoredProfile) -> Void) throws {
        var profile = StoredProfile()
        change(&profile)
        try runs.database.store(profile)
    }

    private func zones(_ text: String) throws -> MotionZoneDefinition { try #require(MotionZoneDefinition(text)) }

    @Test func `zones hold from their day on, and those of a sport override the general ones`() throws {
        let all = [
            DatedMotionZones(from: CivilDay(stated: "2026-06-01"), try zones("120,220W")),
            DatedMotionZones(activity: "cycling", try zones("150,250W")),
            DatedMotionZones(try zones("100,200W")),
            DatedMotionZones(from: CivilDay(stated: "2026-03-01"), activity: "cycling", try zones("160,260W")),
        ].reduce([]) { $0.adding($1) }
        func edges(_ day: String, _ activity: String?) throws -> String? {
            all.zones(on: try #require(CivilDay(stated: day)), for: activity)?.description
        }
        #expect(try edges("2026-01-01", "running") == "100,200W")
        #expect(try edges("2026-07-01", "running") == "120,220W")
        #expect(try edges("2026-01-01", "cycling") == "150,250W")
        #expect(try edges("2026-07-01", "cycling") == "160,260W")
        let replaced = all.adding(DatedMotionZones(activity: "cycling", try zones("90,95W")))
        #expect(replaced.count == 4 && replaced.contains { $0.zones.description == "90,95W" })
    }

    @Test func `a profile stores them`() throws {
        try define {
            $0.thresholdSpeedInMetersPerSecond = 4
            $0.powerZones = [DatedMotionZones(from: CivilDay(stated: "2026-01-01"), MotionZoneDefinition("55,75%ftp")!)]
            $0.paceZones = [DatedMotionZones(activity: "running", MotionZoneDefinition("5:00,4:10/km")!)]
        }
        let profile = try runs.database.storedProfile()
        #expect(profile.paceZones.map(\.zones.description) == ["5:00,4:10/km"])
        #expect(profile.powerZones.map(\.from?.description) == ["2026-01-01"])
        #expect(try runs.environment.athlete(at: Date(), doing: "running").speedZones == [1000.0 / 300, 4])
        // Percentages of an unknown threshold give no zones.
        #expect(try runs.environment.athlete(at: Date(), doing: "running").powerZones == nil)
        #expect(try runs.environment.athlete(at: Date(), doing: "cycling").speedZones == nil)
    }

    /// Zones of this many seconds each, with a pause of a minute between the second and the third.
    private func analysis(_ watts: [Double]) -> WorkoutAnalysis {
        var analysis = WorkoutAnalysis(.init(powerZones: [100, 200]))
        analysis.take(SessionEntry(Self.start, .state(.running)))
        var second = 0.0
        for (index, power) in watts.enumerated() {
            if index == 2 {
                analysis.take(SessionEntry(Self.start + second, .state(.paused)))
                second += 60
                analysis.take(SessionEntry(Self.start + second, .state(.running)))
            }
            for _ in 0..<30 {
                let date = Self.start + second
                analysis.take(
                    SessionEntry(
                        date, .quantity(QuantityReading("cyclingPower", power, unit: "W", start: date, end: date))))
                second += 1
            }
        }
        analysis.take(SessionEntry(Self.start + second, .state(.stopped)))
        return analysis
    }

    @Test func `coasting is below zone 1, and a pause is in none`() throws {
        let time = try analysis([150, 0, 250, 99]).timeInPowerZones.get()
        #expect(time.inZone == [30, 30] && time.below == 60)
    }

    @Test func `missing power or zones are named`() {
        #expect(analysis([]).timeInPowerZones == .failure(.notMeasured(.power)))
        #expect(analysis([150]).timeInSpeedZones == .failure(.notMeasured(.speed)))
        var none = WorkoutAnalysis(.init())
        none.take(SessionEntry(Self.start, .state(.running)))
        for second in 0..<10 {
            let date = Self.start + Double(second)
            none.take(
                SessionEntry(date, .quantity(QuantityReading("cyclingPower", 100, unit: "W", start: date, end: date))))
        }
        none.take(SessionEntry(Self.start + 10, .state(.stopped)))
        #expect(none.timeInPowerZones == .failure(.notKnown(.powerZones)))
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `show, analyze and a recording count the same zones`(name: String) async throws {
        try define {
            $0.powerZones = [DatedMotionZones(MotionZoneDefinition("100,180,230W")!)]
            $0.paceZones = [DatedMotionZones(MotionZoneDefinition("7:00,6:00,5:00,2:30/km")!)]
        }
        let id = try await runs.replay(name).id.uuidString
        let shown = try WorkoutSummary(StoredWorkouts(runs.database).workout(id), withZonesOf: runs.environment)
        let file = SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl").path
        let recording = try RecordingFile.read(URL(fileURLWithPath: file))
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, environment: runs.environment.beside)
        let ended = try WorkoutSummary(await run.run(), withZonesOf: runs.environment)
        #expect(ended.powerZones == shown.powerZones && ended.speedZones == shown.speedZones)
        for workout in [id, file] {
            let report = try await Analyze.parse([workout, "--wearer", "profile"]).report(of: workout, runs.environment)
            #expect(report.summary.powerZones == shown.powerZones)
            #expect(report.summary.speedZones == shown.speedZones)
            #expect(report.summary.powerZones == (try? report.analysis.timeInPowerZones.get()))
        }
        if name == "easy-run" {
            let time = try #require(shown.speedZones)
            #expect(Double(time.seconds) > 0.9 * shown.durationInSeconds)
            #expect(Double(time.seconds) <= shown.durationInSeconds + 1)
        }
    }

    @Test func `show and analyze print the zones with their bounds, in words and in JSON`() async throws {
        try define { $0.paceZones = [DatedMotionZones(MotionZoneDefinition("7:00,6:00/km")!)] }
        let id = try await runs.replay("easy-run").id.uuidString
        let report = try await Analyze.parse([id]).report(of: id, runs.environment)
        let lines = report.lines(StoredRuns.utc)
        #expect(lines.contains("Pace zones"))
        #expect(lines.contains { $0.contains("7:00 /km to 6:00 /km") }, "\(lines)")
        #expect(lines.contains { $0.contains("from 6:00 /km") })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let told = try #require(object["paceZones"] as? [[String: Any]])
        #expect(told.map { $0["zone"] as? Int } == [1, 2])
        #expect(told.last?["toMetersPerSecond"] == nil)
        let reasons = try #require(object["unavailable"] as? [[String: String]])
        #expect(reasons.contains { $0["figure"] == "powerZones" && $0["reason"] == "notMeasured.power" })
        let shown = try WorkoutSummary(StoredWorkouts(runs.database).workout(id), withZonesOf: runs.environment)
        #expect(SummaryJSON.line(workout: shown).contains(#""paceZones":[{"zone":1,"fromMetersPerSecond":2.38"#))
        #expect(SummaryTable(page: StoredRuns.utc).lines(workout: shown).contains("Pace zones"))
        let page = WorkoutPage(
            report: report,
            course: try AnalyzedWorkout(StoredWorkouts(runs.database).workout(id), runs.environment)
                .course(), page: StoredRuns.utc
        ).document
        #expect(String(decoding: page.bytes, as: UTF8.self).contains("<caption>Pace zones</caption>"))
    }

    @Test func `workout profile stores, validates and removes zones`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let first = try await command.run(
            "profile", "--power-zones", "100,200", "--pace-zones", "5:30,5:00/km", "--zones-activity", "running",
            "--zones-from", "2026-02-01", "--json")
        #expect(
            first.output.contains(
                #""powerZones":[{"from":"2026-02-01","activity":"running","zones":"100,200W"}]"#), "\(first.all)")
        let shown = try await command.run("profile")
        #expect(shown.output.contains("5:30,5:00/km running from 2026-02-01 on"), "\(shown.all)")
        for wrong in [
            ["--power-zones", "55,75%ftp"], ["--pace-zones", "80,100%pace"], ["--power-zones", "5:00,4:00/km"],
            ["--pace-zones", "4:00,5:00/km"], ["--zones-activity", "running"],
            ["--power-zones", "100,200", "--zones-activity", "runing"], ["--threshold-pace", "fast"],
        ] {
            let result = try await command.start(["profile"] + wrong, variables: [:]).end()
            #expect(result.status == 64, "\(wrong) \(result.all)")
        }
        let percent = try await command.run("profile", "--threshold-pace", "4:10/km", "--pace-zones", "80,100%pace")
        #expect(percent.status == 0 && percent.output.contains("4:10 /km"), "\(percent.all)")
        let none = try await command.run("profile", "--power-zones", "none", "--pace-zones", "none", "--json")
        #expect(none.status == 0 && !none.output.contains("Zones"), "\(none.all)")
    }

    @Test func `the live view shows the zones of power, pace and speed`() {
        var snapshot = LiveSnapshot()
        func texts() -> [String] { snapshot.measured.map(\.value) }
        snapshot.powerInWatts = 243
        snapshot.paceInSecondsPerKilometer = 300
        #expect(texts() == ["5:00 /km", "243 W"])
        snapshot.powerZones = [100, 200, 300]
        snapshot.speedZones = [3, 1000.0 / 300]
        #expect(texts() == ["5:00 /km Z2", "243 W Z2"])
        snapshot.powerInWatts = 0
        snapshot.paceInSecondsPerKilometer = 400
        #expect(texts() == ["6:40 /km below Z1", "0 W below Z1"])
        snapshot.paceInSecondsPerKilometer = nil
        snapshot.swimPaceInSecondsPerMeter = 1
        snapshot.speedZones = [0.8, 1]
        #expect(texts().first == "1:40 /100 m Z2")
    }
}
