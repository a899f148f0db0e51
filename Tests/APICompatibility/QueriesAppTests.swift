import Foundation
import HealthKit
import Testing

/// The app code of `QueriesApp.swift` with a store in memory.
@Suite struct QueriesAppTests {
    private let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
    private let noon: Date

    init() throws {
        noon = try #require(
            Calendar.current.date(from: DateComponents(year: 2026, month: 6, day: 17, hour: 12, minute: 30)))
    }

    private func quantity(
        _ identifier: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at date: Date,
        metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(identifier), quantity: HKQuantity(unit: unit, doubleValue: value), start: date,
            end: date + 60, metadata: metadata)
    }

    private func daysAgo(_ days: Int) throws -> Date {
        try #require(Calendar.current.date(byAdding: .day, value: -days, to: noon))
    }

    @Test func `a widget knows the usual value for each hour`() async throws {
        try await store.save((1...30).map { quantity(.stepCount, 600, .count(), at: try daysAgo($0)) })
        try await store.save(quantity(.stepCount, 9999, .count(), at: noon))
        let averages = await withCheckedContinuation { done in
            HealthDataSource(healthStore: store).hourlyCumulativeAverages(
                for: HKQuantityType(.stepCount), unit: .count(), now: noon
            ) { done.resume(returning: $0) }
        }
        #expect(averages == Array(repeating: 0, count: 12) + Array(repeating: 600, count: 12))
    }

    @Test func `steps of a week by day`() async throws {
        try await store.save((0..<10).map { quantity(.stepCount, Double($0) + 1, .count(), at: try daysAgo($0)) })
        let steps = try await HealthDataSource(healthStore: store).weeklySteps(until: noon + 3600)
        #expect(steps.map(\.1) == [7, 6, 5, 4, 3, 2, 1])
    }

    @Test func `the latest sample that was not entered by hand`() async throws {
        try await store.save([
            quantity(.bodyMass, 70, .gramUnit(with: .kilo), at: noon),
            quantity(.bodyMass, 71, .gramUnit(with: .kilo), at: noon + 600),
            quantity(
                .bodyMass, 99, .gramUnit(with: .kilo), at: noon + 900, metadata: [HKMetadataKeyWasUserEntered: true]),
        ])
        let latest = await withCheckedContinuation { done in
            HealthDataSource(healthStore: store).latestSample(of: HKQuantityType(.bodyMass)) {
                done.resume(returning: $0)
            }
        }
        #expect((latest as? HKQuantitySample)?.quantity.doubleValue(for: .gramUnit(with: .kilo)) == 71)
    }

    @Test func `heart rate by hour`() async throws {
        let unit = HKUnit.count().unitDivided(by: .minute())
        try await store.save([
            quantity(.heartRate, 60, unit, at: noon), quantity(.heartRate, 80, unit, at: noon + 60),
            quantity(.heartRate, 120, unit, at: noon + 3600),
        ])
        let averages = try await HealthDataSource(healthStore: store).hourlyHeartRate(on: noon)
        #expect(averages == [70, 120])
    }

    @Test func `a day without goals has no move goal`() async throws {
        try await store.save(quantity(.activeEnergyBurned, 300, .kilocalorie(), at: noon))
        let goal = await withCheckedContinuation { done in
            HealthDataSource(healthStore: store).moveGoal(on: noon) { done.resume(returning: $0) }
        }
        #expect(goal == 0)
    }

    @Test func `a day's move goal is the one in its summary`() async throws {
        var day = ActivityDay(day: CivilDay(noon, in: .current))
        day.activeEnergyGoalInKilocalories = 600
        try store.database.saveActivityDays([day])
        let goal = await withCheckedContinuation { done in
            HealthDataSource(healthStore: store).moveGoal(on: noon) { done.resume(returning: $0) }
        }
        #expect(goal == 600)
    }

    @Test func `an anchor in the defaults outlives the app`() async throws {
        let name = "QueriesAppTests.\(UUID())"
        defer { UserDefaults.standard.removePersistentDomain(forName: name) }
        let unit = HKUnit.count().unitDivided(by: .minute())
        try await store.save(quantity(.heartRate, 60, unit, at: noon))
        let first = AnchoredSync(healthStore: store, suiteName: name)
        try await first.sync()
        #expect(await first.known.count == 1)
        try await store.save(quantity(.heartRate, 61, unit, at: noon - 600))
        let second = AnchoredSync(healthStore: store, suiteName: name)
        try await second.sync()
        #expect(await second.known.count == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `an observer with background delivery fetches new samples and acknowledges them`() async throws {
        let type = HKQuantityType(.heartRate)
        let unit = HKUnit.count().unitDivided(by: .minute())
        try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
        try await store.save(quantity(.heartRate, 60, unit, at: noon))
        func state() throws -> DeliveryState? {
            try store.database.deliveries(to: HKSource.default().bundleIdentifier).first?.deliveries.first?.state
        }
        #expect(try state()?.answered == 0)
        let source = HealthDataSource(healthStore: store)
        let (batches, continuation) = AsyncStream.makeStream(of: [HKSample].self)
        source.startBackgroundDelivery(of: type) { continuation.yield($0) }
        for await batch in batches where !batch.isEmpty {
            #expect(batch.count == 1)
            break
        }
        // The app calls the completion handler after it has taken the samples.
        while try state()?.answered == 0 { await Task.yield() }
        source.stopObserving()
        #expect(try state()?.frequency == .immediate)
    }

    @Test func `an observer is called after a change`() async throws {
        let source = HealthDataSource(healthStore: store)
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        source.observe(HKQuantityType(.stepCount)) { continuation.yield() }
        var heard = 0
        for await _ in changes {
            heard += 1
            if heard == 2 { break }
            try await store.save(quantity(.stepCount, 5, .count(), at: noon))
        }
        source.stopObserving()
        #expect(heard == 2)
    }
}
