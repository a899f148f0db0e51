import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct SeriesQueryTests {
    private let health = QueryStore()

    @Test func `saved beats are returned in order`() async throws {
        let builder = HKHeartbeatSeriesBuilder(healthStore: health.store, device: nil, start: Made.start)
        try await builder.addHeartbeat(at: 1.6, precededByGap: false)
        try await builder.addHeartbeat(at: 0.8, precededByGap: false)
        try await builder.addHeartbeat(at: 5, precededByGap: true)
        try await builder.addMetadata(["K": "v"])
        let series = try await builder.finishSeries()
        #expect(series.count == 3 && series.endDate == Made.start + 5)
        await #expect(throws: HKError.self) { try await builder.addHeartbeat(at: 6, precededByGap: false) }

        let stored = try await HKSampleQueryDescriptor(predicates: [.heartbeatSeries()], sortDescriptors: [])
            .result(for: health.store)
        #expect(stored.map(\.uuid) == [series.uuid])
        #expect(stored.first?.metadata?["K"] as? String == "v")
        var beats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] = []
        for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: health.store) { beats.append(beat) }
        #expect(beats.map(\.timeIntervalSinceStart) == [0.8, 1.6, 5])
        #expect(beats.map(\.precededByGap) == [false, false, true])
    }

    @Test func `a builder rejects an invalid series and is finished then`() async throws {
        let empty = HKHeartbeatSeriesBuilder(healthStore: health.store, device: nil, start: Made.start)
        await #expect(throws: HKError.self) { try await empty.finishSeries() }
        // Having nothing to save is no error, because something may come later.
        try await empty.addHeartbeat(at: 1, precededByGap: false)
        #expect(try await empty.finishSeries().count == 1)
        let wrong = HKHeartbeatSeriesBuilder(healthStore: health.store, device: nil, start: Made.start)
        await #expect(throws: HKError.self) { try await wrong.addHeartbeat(at: 0, precededByGap: false) }
        await #expect(throws: HKError.self) { try await wrong.addHeartbeat(at: 1, precededByGap: false) }
    }

    @Test func `plain samples return their one quantity in order of time`() async throws {
        try health.save([Made.steps(2, from: 10, to: 20), Made.steps(1, from: 0, to: 5)])
        let descriptor = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(type: Made.steps), options: .includeSample)
        var results: [HKQuantitySeriesSampleQueryDescriptor.Result] = []
        for try await result in descriptor.results(for: health.store) { results.append(result) }
        #expect(results.map { $0.quantity.doubleValue(for: .count()) } == [1, 2])
        #expect(results.map(\.dateInterval.duration) == [5, 10])
        #expect(results.allSatisfy { $0.sample != nil })
    }

    @Test func `more samples than one read returns arrive once each, even if thousands begin together`() async throws {
        let together = (0..<5000).map { Made.steps(Double($0), from: 100, to: 101) }
        let others = (0..<4500).map { Made.steps(1, from: Double($0), to: Double($0) + 1) }
        try health.save(together + others)
        let descriptor = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(type: Made.steps), options: .includeSample)
        var ids: [UUID] = []
        var last = Date.distantPast
        for try await result in descriptor.results(for: health.store) {
            ids.append(try #require(result.sample?.uuid))
            #expect(result.dateInterval.start >= last)
            last = result.dateInterval.start
        }
        #expect(ids.count == 9500)
        #expect(Set(ids) == Set((together + others).map(\.uuid)))
    }

    @Test func `a day's activity is counted from its samples`() async throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let day = DateComponents(calendar: calendar, year: 2026, month: 5, day: 10)
        let noon = try #require(calendar.date(from: day)) + 12 * 3600
        try health.save([
            HKQuantitySample(
                type: HKQuantityType(.activeEnergyBurned), quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 300),
                start: noon, end: noon + 600),
            HKQuantitySample(
                type: HKQuantityType(.activeEnergyBurned), quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 5),
                start: noon + 86_400, end: noon + 87_000),
        ])
        var imported = ActivityDay(day: CivilDay(year: 2026, month: 5, day: 12))
        imported.activeEnergyGoalInKilocalories = 500
        try health.database.saveActivityDays([imported])
        func summaries(_ predicate: NSPredicate?) async throws -> [HKActivitySummary] {
            try await HKActivitySummaryQueryDescriptor(predicate: predicate).result(for: health.store)
        }
        let one = try await summaries(HKQuery.predicateForActivitySummary(with: day))
        #expect(one.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) } == [300])
        #expect(one.first?.dateComponents(for: calendar).day == 10)
        var end = day
        end.day = 12
        let range = try await summaries(HKQuery.predicate(forActivitySummariesBetweenStart: day, end: end))
        #expect(range.map { $0.dateComponents(for: calendar).day } == [10, 11, 12])
        #expect(range.last?.activeEnergyBurnedGoal == HKQuantity(unit: .kilocalorie(), doubleValue: 500))
        #expect(try await summaries(nil).count == 3)
    }
}
