import Analytics
import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// `workout analyze ID --save-figures`.
@Suite struct SaveFiguresTests {
    private let runs = StoredRuns()
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func setProfile(restingHeartRate: Double) throws {
        var profile = StoredProfile()
        profile.sex = .male
        profile.restingHeartRate = restingHeartRate
        profile.maximumHeartRate = 190
        try runs.database.store(profile)
    }

    /// Two minutes at rest, beat by beat, and ten minutes at 150 bpm. Its heart rates after the end are stored
    /// separately.
    private func saveWorkout() throws -> String {
        let (id, start) = (UUID(), Self.start)
        var log = [
            SessionEntry(start, .header(SessionHeader(id: id, activity: ActivityDescription(activity: "running")))),
            SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
        ]
        for second in 0...720 {
            let date = start + Double(second)
            let rate = second < 120 ? 60.0 : 150
            log.append(
                SessionEntry(
                    date, .quantity(QuantityReading("heartRate", rate, unit: "count/min", start: date, end: date))))
            let interval = second < 120 ? 1000 + (second % 4 < 2 ? 4.0 : -4) : 400
            if second > 0 { log.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [interval])))) }
        }
        log += [SessionEntry(start + 720, .state(.stopped)), SessionEntry(start + 720, .collection(.ended))]
        var state = SessionState()
        for entry in log { state.apply(entry) }
        try runs.database.save(try HKWorkout.of(state, id: id, device: nil), log: log, from: .current)
        try runs.save(heartRates: [110, 90], from: start + 780)
        return id.uuidString
    }

    private func save(_ id: String) async throws -> AnalysisReport {
        try await Analyze.parse([id, "--save-figures"]).report(of: id, runs.environment)
    }

    private func stored(_ type: HKQuantityType) throws -> [HKQuantitySample] {
        try runs.database.samples([SampleSelection(type, .all)], sortedBy: [], limit: nil)
            .compactMap { $0 as? HKQuantitySample }
    }

    private func value(_ sample: HKQuantitySample) -> Double {
        sample.quantity.doubleValue(for: sample.quantityType.recordingUnit)
    }

    @Test func `figures become samples with the dates, units and metadata of their types`() async throws {
        try setProfile(restingHeartRate: 50)
        let id = try saveWorkout()
        let report = try await save(id)
        let samples = try SavedFigures.types.compactMap { try stored($0).first }
        try #require(samples.count == 4)
        #expect(abs(value(samples[0]) - 4.03) < 0.05)
        #expect(
            samples[0].startDate < Self.start + 2
                && abs(samples[0].endDate.timeIntervalSince(samples[0].startDate) - 60) < 1.1)
        #expect(value(samples[1]) == 40)
        #expect(samples[1].startDate == Self.start + 720 && samples[1].endDate == Self.start + 780)
        let metadata = try #require(samples[1].metadata)
        #expect(metadata[HKMetadataKeyHeartRateRecoveryTestType] as? Int == 2)
        #expect(
            metadata[HKMetadataKeyHeartRateRecoveryActivityType] as? UInt == HKWorkoutActivityType.running.rawValue)
        let duration = metadata[HKMetadataKeyHeartRateRecoveryActivityDuration] as? HKQuantity
        #expect(duration?.doubleValue(for: .minute()) == 12)
        let estimate = try report.analysis.maximumOxygenUptake.get()
        #expect(value(samples[2]) == estimate)
        #expect(samples[2].metadata?[HKMetadataKeyVO2MaxTestType] as? Int == 3 && samples[2].device == nil)
        #expect(value(samples[3]) == 7)
        #expect(samples[3].startDate == Self.start && samples[3].endDate == Self.start + 720)
        let links = try runs.database.effortLinks(after: 0)
        #expect(links.map(\.sample) == [samples[3].uuid] && links.first?.workout.uuidString == id)
    }

    @Test func `saving again keeps equal figures and replaces changed ones`() async throws {
        try setProfile(restingHeartRate: 50)
        let id = try saveWorkout()
        let first = try await save(id)
        let before = try SavedFigures.types.flatMap { try stored($0) }.map(\.uuid)
        let again = try await save(id)
        #expect(first.saved?.rows.map(\.wasStored) == [false, false, false, false])
        #expect(again.saved?.rows.map(\.wasStored) == [true, true, true, true])
        let after = try SavedFigures.types.flatMap { try stored($0) }.map(\.uuid)
        #expect(after == before)
        try setProfile(restingHeartRate: 90)
        let changed = try await save(id)
        #expect(changed.saved?.rows.map(\.wasStored) == [true, true, false, false])
        let uptake = try stored(HKQuantityType(.vo2Max))
        let estimate = try changed.analysis.maximumOxygenUptake.get()
        #expect(uptake.map(value) == [estimate])
        let efforts = try stored(HKQuantityType(.estimatedWorkoutEffortScore))
        #expect(efforts.count == 1 && efforts.map(value) == [6])
        let links = try runs.database.effortLinks(after: 0)
        #expect(links.map(\.sample) == efforts.map(\.uuid))
    }

    @Test func `a workout has the same figures before and after they are saved`() async throws {
        try setProfile(restingHeartRate: 50)
        let id = try saveWorkout()
        let before = try await Analyze.parse([id]).report(of: id, runs.environment)
        _ = try await save(id)
        let after = try await Analyze.parse([id]).report(of: id, runs.environment)
        #expect(before.json == after.json && before.saved == nil)
        #expect(before.summary == after.summary)
    }

    @Test func `a missing figure has a reason, on the page and in JSON`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        let report = try await save(id)
        let none = try SavedFigures.types.flatMap { try stored($0) }
        #expect(none.isEmpty)
        let lines = report.lines(StoredRuns.utc)
        #expect(lines.contains { $0.contains("effort") && $0.contains("--maximum-heart-rate") }, "\(lines)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect((object["savedFigures"] as? [Any])?.isEmpty == true)
        let reasons = try #require(object["unavailable"] as? [[String: String]])
        let found = Dictionary(reasons.map { ($0["figure"] ?? "", $0["reason"] ?? "") }) { first, _ in first }
        #expect(found["savedFigures.heartRateRecoveryOneMinute"] == "nothingAfterEnd")
        #expect(found["savedFigures.heartRateVariabilitySDNN"] == "notKnown.restingHeartRate")
    }

    @Test func `a saved figure is shown with its value, and in JSON as a sample`() async throws {
        try setProfile(restingHeartRate: 50)
        let id = try saveWorkout()
        let report = try await save(id)
        let lines = report.lines(StoredRuns.utc)
        #expect(lines.contains("Saved") && lines.contains { $0.contains("effort") && $0.contains("7 of 10") })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let saved = try #require(object["savedFigures"] as? [[String: Any]])
        #expect(saved.map { $0["unit"] as? String } == ["ms", "count/min", "mL/min·kg", "appleEffortScore"])
        #expect(saved.allSatisfy { $0["wasStored"] as? Bool == false })
    }

    @Test func `figures of a recording cannot be saved`() async throws {
        let file = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        await #expect(throws: CommandFailure.self) { try await save(file) }
        #expect(throws: (any Error).self) { try Analyze.parse(["--save-figures"]) }
    }
}
