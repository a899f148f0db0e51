import Analytics
import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct AnalyzeCommandTests {
    private let runs = StoredRuns()
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// The athletes of the repository's recordings.
    private static func profile() -> StoredProfile {
        var profile = StoredProfile()
        profile.sex = .female
        profile.restingHeartRate = 56
        profile.maximumHeartRate = 188
        profile.thresholdPowerInWatts = 200
        profile.ventilatoryThresholds = [140, 165]
        return profile
    }

    private func report(_ name: String, _ options: String...) async throws -> AnalysisReport {
        try await Analyze.parse([name] + options).report(of: name, runs.environment)
    }

    private static func file(_ name: String) -> String {
        SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl").path
    }

    private static func heartRate(_ rate: Double, at second: Double) -> SessionEntry {
        let date = start + second
        return SessionEntry(
            date, .quantity(QuantityReading("heartRate", rate, unit: "count/min", start: date, end: date)))
    }

    private static func analysis(_ entries: [SessionEntry], end: Double) -> WorkoutAnalysis {
        var analysis = WorkoutAnalysis(
            .init(wearer: WearerProfile(sex: .male, restingHeartRate: 60, maximumHeartRate: 190)))
        analysis.take(SessionEntry(start, .state(.running)))
        for entry in entries where entry.date <= start + end { analysis.take(entry) }
        analysis.take(SessionEntry(start + end, .state(.stopped)))
        for entry in entries where entry.date > start + end { analysis.take(entry) }
        return analysis
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `analyze shows the average, maximum and zones that show shows`(name: String) async throws {
        try runs.database.store(Self.profile())
        let replayed = try await runs.replay(name)
        let id = replayed.id.uuidString
        let wearer = runs.environment.wearer(at: replayed.start)
        let shown = try Show.parse([id]).summary(runs.database, wearer: wearer)
        let (stored, file) = (try await report(id), try await report(Self.file(name), "--wearer", "profile"))
        let rate = try #require(shown.statistics.first { $0.identifier.hasSuffix("HeartRate") })
        #expect(stored.heartRate == rate && file.heartRate == rate)
        #expect(stored.summary.zones == shown.zones)
        #expect(file.summary.zones == shown.zones)
        #expect(shown.zones.count == 5)
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `a workout has the same figures from its file and from the store`(name: String) async throws {
        try runs.database.store(Self.profile())
        let id = try await runs.replay(name).id.uuidString
        let (stored, file) = (try await report(id), try await report(Self.file(name), "--wearer", "profile"))
        for (a, b) in zip(stored.sections, file.sections) {
            for (x, y) in zip(a.rows, b.rows) {
                switch (x.figure, y.figure) {
                case (.success(let x), .success(let y)): #expect(abs(x - y) < 1e-6 * max(1, abs(y)), "\(a.name)")
                case (.failure(let x), .failure(let y)): #expect(x == y, "\(a.name)")
                default: Issue.record("\(name): \(a.name).\(x.name) is \(x.figure) stored, \(y.figure) in the file")
                }
            }
        }
        for (a, b) in zip(stored.curves, file.curves) {
            #expect(a.efforts.map(\.seconds) == b.efforts.map(\.seconds), "\(a.name)")
            for (x, y) in zip(a.efforts, b.efforts) { #expect(abs(x.mean - y.mean) < 1e-6, "\(a.name) \(x) \(y)") }
        }
        // As a page draws it: a strap reports beats up to three seconds late, and the store has their true times.
        let points = (stored.analysis.alpha1.points, file.analysis.alpha1.points)
        #expect(points.0.map(\.reading?.artefactShare) == points.1.map(\.reading?.artefactShare))
        #expect(points.0.compactMap(\.reading).count == stored.analysis.alpha1.count)
        for (x, y) in zip(points.0, points.1) {
            #expect(abs(x.seconds - y.seconds) <= 3 && abs((x.reading?.alpha1 ?? 0) - (y.reading?.alpha1 ?? 0)) < 1e-6)
        }
    }

    @Test func `a pause does not count, and no effort spans one`() throws {
        var entries = (0..<600).map { Self.heartRate(100, at: Double($0)) }
        entries.append(SessionEntry(Self.start + 600, .state(.paused)))
        entries.append(SessionEntry(Self.start + 900, .state(.running)))
        entries += (900..<1500).map { Self.heartRate(160, at: Double($0)) }
        let found = Self.analysis(entries, end: 1500)
        #expect(found.load.seconds == 1200)
        #expect(found.heartRates.efforts.last == .init(seconds: 600, mean: 160, start: 600))
        #expect(try found.load.edwards.get() == 10 * 1 + 10 * 4)
    }

    @Test func `recovery is measured after the end, or after a pause that the workout ends in`() throws {
        let fall = (0..<130).map { Self.heartRate(170 - Double($0) / 2, at: 601 + Double($0)) }
        let effort = (0...600).map { Self.heartRate(170, at: Double($0)) }
        let ended = Self.analysis(effort + fall, end: 600)
        #expect(abs(try ended.recovery.drop(after: 60).get() - 29.5) < 1e-9)
        let paused = Self.analysis(effort + [SessionEntry(Self.start + 600, .state(.paused))] + fall, end: 725)
        #expect(abs(try paused.recovery.drop(after: 120).get() - 59.5) < 1e-9)
        #expect(paused.load.seconds == 600)
        #expect(Self.analysis(effort, end: 600).recovery.drop(after: 60) == .failure(.nothingAfterEnd(seconds: 60)))
    }

    @Test func `readings stored after a workout give its recovery`() async throws {
        let replayed = try await runs.replay("easy-run")
        try runs.save(heartRates: [90, 80, 70], from: replayed.end + 60)
        let found = try await report(replayed.id.uuidString).analysis.recovery
        let atEnd = try #require(found.heartRateAtEnd)
        #expect(try found.drop(after: 60).get() == atEnd - 90)
        #expect(try found.drop(after: 120).get() == atEnd - 80)
    }

    @Test func `missing figures are left out of JSON with their reason, and have a line on the page`() async throws {
        let report = try await report(Self.file("easy-run"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let power = try #require(object["power"] as? [String: Any])
        #expect(power["normalizedInWatts"] == nil)
        let reasons = try #require(object["unavailable"] as? [[String: String]])
        let found = Dictionary(reasons.map { ($0["figure"] ?? "", $0["reason"] ?? "") }) { first, _ in first }
        #expect(found["power.normalizedInWatts"] == "notMeasured.power")
        #expect(found["load.luciaTrainingLoad"] == "notKnown.ventilatoryThresholds")
        #expect(found["recovery.after60SecondsInBeatsPerMinute"] == "nothingAfterEnd")
        let load = try #require(object["load"] as? [String: Any])
        #expect((load["banisterTrainingImpulse"] as? Double ?? 0) > 1)
        #expect(
            object["averageHeartRateInBeatsPerMinute"] as? Double
                == report.heartRate?.average.map { ($0 * 1e9).rounded() / 1e9 })
        let lines = report.lines(StoredRuns.utc)
        for title in [
            "Zones", "Heart-rate variability", "DFA alpha1", "Training load", "Recovery", "Best efforts", "Power",
        ] {
            #expect(lines.contains(title), "\(title)")
        }
        #expect(lines.contains { $0.contains("no power was recorded") })
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(report.lines(Page(columns: 40, timeZone: .gmt)).allSatisfy { $0.count <= 40 })
    }

    @Test func `a workout without readings has a reason for everything`() throws {
        let analysis = Self.analysis([], end: 10)
        let summary = WorkoutSummary(
            id: UUID(), activity: "other", start: Self.start, end: Self.start + 10, elapsedInSeconds: 10,
            durationInSeconds: 10)
        let report = AnalysisReport(summary: summary, analysis: analysis)
        for section in report.sections {
            for row in section.rows where row.name != "maximumOxygenUptakeInMillilitersPerKilogramAndMinute" {
                #expect(throws: MissingFigure.self, "\(section.name).\(row.name)") { try row.figure.get() }
            }
        }
        #expect(report.reasonForNoZones == .notMeasured(.heartRate))
    }

    @Test func `fitness and fatigue are folded over all days, including those without a workout`() throws {
        try runs.database.store(Self.profile())
        for day in [0.0, 2] {
            let start = Self.start + day * 86_400
            var log = [
                SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))),
                SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
            ]
            for second in 0..<600 {
                let date = start + Double(second)
                log.append(
                    SessionEntry(
                        date, .quantity(QuantityReading("heartRate", 150, unit: "count/min", start: date, end: date))))
            }
            log += [SessionEntry(start + 600, .state(.stopped)), SessionEntry(start + 600, .collection(.ended))]
            var state = SessionState()
            for entry in log { state.apply(entry) }
            try runs.database.save(try HKWorkout.of(state, id: UUID(), device: nil), log: log, from: .current)
        }
        let history = try TrainingHistory(
            in: runs.environment, from: nil, to: Self.start + 4 * 86_400, .gmt)
        let load = 10 * BanisterTrainingImpulse.weight(ofReserveFraction: (150 - 56) / (188 - 56), sex: .female)
        #expect(history.days.map(\.workouts).prefix(4) == [1, 0, 1, 0])
        var expected = FitnessAndFatigue()
        for (day, load) in zip(history.days, [load, 0, load, 0, 0]) {
            expected.add(dailyLoad: load)
            let (fitness, form) = (try #require(day.fitness), try #require(day.form))
            #expect(abs(try #require(day.load) - load) < 1e-9)
            #expect(abs(fitness - expected.fitness) < 1e-9 && abs(form - expected.form) < 1e-9)
        }
        // Before the first load the load is unknown, not 0.
        let earlier = try TrainingHistory(
            in: runs.environment, from: Self.start - 3 * 86_400, to: Self.start + 4 * 86_400, .gmt)
        #expect(earlier.days.prefix(3).allSatisfy { $0.fitness == nil && $0.fatigue == nil && $0.form == nil })
        #expect(earlier.days.dropFirst(3).prefix(4).map(\.fitness) == history.days.prefix(4).map(\.fitness))
        let report = TrainingHistoryReport(history: history)
        #expect(report.lines(StoredRuns.utc).contains { $0.contains("resting heart rate: none stored") })
        #expect(report.json.contains(#""isSettled":false"#))
        let before = TrainingHistoryReport(
            history: try TrainingHistory(
                in: runs.environment, from: Self.start - 9 * 86_400, to: Self.start - 2 * 86_400, .gmt))
        #expect(before.lines(StoredRuns.utc).first?.hasPrefix("No workouts are stored in this period") == true)
    }

    @Test func `without a resting heart rate load and fitness are unknown, and not zero`() async throws {
        let replayed = try await runs.replay("easy-run")
        let history = try TrainingHistory(in: runs.environment, from: nil, to: replayed.start + 3 * 86_400, .gmt)
        #expect(history.days.count >= 3)
        #expect(history.days.allSatisfy { $0.fitness == nil && $0.fatigue == nil && $0.form == nil })
        #expect(history.days.map(\.load).prefix(2) == [nil, 0])
        #expect(!history.withoutLoad.isEmpty)
        let report = TrainingHistoryReport(history: history)
        let lines = report.lines(StoredRuns.utc)
        #expect(!lines.contains { $0.contains("0.0") }, "\(lines)")
        #expect(!report.json.contains("fitness"))
    }

    @Test func `shares of zones are those of all time with a heart rate, in every report`() async throws {
        try runs.database.store(Self.profile())
        let replayed = try await runs.replay("easy-run")
        let report = try await report(replayed.id.uuidString)
        let shares = report.summary.zoneShares
        #expect(shares.first?.zone == 0)
        #expect(abs(shares.compactMap(\.share).reduce(0, +) - 1) < 1e-9)
        let texts = shares.compactMap(\.share).map { MetricFormat.fixed($0 * 100, 0) + " %" }
        let analyzed = report.lines(StoredRuns.utc).joined(separator: "\n")
        let shown = SummaryTable(columns: 100).lines(workout: report.summary).joined(separator: "\n")
        for text in texts { #expect(analyzed.contains(text) && shown.contains(text), "\(text)") }
    }
}
