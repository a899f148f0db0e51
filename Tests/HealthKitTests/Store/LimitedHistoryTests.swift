import Foundation
import HealthKit
import MadeSamples
import Testing

/// What an app reads if the user allowed only recent history. The limit is ten seconds after `Made.start`.
@Suite struct LimitedHistoryTests {
    private let database = SQLiteHealthDatabase(.memory)
    private let limit = Made.start + 10
    private let summaries = HKObjectType.activitySummaryType()

    private func store(limiting types: Set<HKObjectType>) -> HKHealthStore {
        var environment = HealthEnvironment(sensors: [], database: database)
        environment.permissions = Permissions(answer: .success(.allow), app: .default())
        environment.permissions.change {
            $0.set(share: true, types)
            $0.set(readingFrom: limit, types)
        }
        return HKHealthStore(environment: environment)
    }

    private func save(_ samples: [HKObject]) throws { try database.save(samples, from: Made.source("Watch")) }

    private func read(_ type: HKQuantityType, _ store: HKHealthStore) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    @Test(arguments: ReadPermissionTests.questions.indices)
    func `queries find what ends at or after the limit, and the app's own samples`(_ index: Int) async throws {
        let question = ReadPermissionTests.questions[index]
        let store = store(limiting: [Made.heartRate])
        try save([0, 9.5, 10, 20].map { Made.heartRate(60, at: $0) })
        let others = question.name == "sources" ? 1 : 2
        #expect(try await question.ask(store) == others, "\(question.name)")
        try await store.save(Made.heartRate(70, at: 1))
        #expect(try await question.ask(store) == others + 1, "\(question.name)")
    }

    @Test func `a sample across the limit is read as a whole`() async throws {
        let store = store(limiting: [Made.steps])
        try save([Made.steps(10, from: 0, to: 5), Made.steps(20, from: 5, to: 15)])
        #expect(try await read(Made.steps, store).map(\.startDate) == [Made.start + 5])
    }

    @Test func `the limits of types are reported, and no other answers`() async throws {
        let store = store(limiting: [Made.heartRate, .workoutType(), summaries])
        let limits = [Made.heartRate: limit, HKObjectType.workoutType(): limit, summaries: limit]
        let born = HKCharacteristicType(.dateOfBirth)
        let types: Set<HKObjectType> = [Made.heartRate, .workoutType(), summaries, Made.steps, Made.sleep, born]
        store.environment.permissions.change {
            $0.set(read: true, [Made.steps])
            $0.set(read: false, [Made.sleep])
            $0.set(readingFrom: limit, [born])
        }
        #expect(try await store.earliestAuthorizedSampleDate(for: types) == limits)
        #expect(try await store.earliestAuthorizedSampleDate(for: [Made.steps]) == [:])
        #expect(
            try await HKHealthStore(environment: HealthEnvironment(sensors: []))
                .earliestAuthorizedSampleDate(for: types) == [:])
        store.environment.permissions.change { $0.set(read: true, [Made.heartRate]) }
        #expect(try await store.earliestAuthorizedSampleDate(for: [Made.heartRate]) == [:])
    }

    @Test func `without health data the question fails`() async throws {
        var environment = HealthEnvironment(sensors: [], database: database)
        environment.conditions = .success([.unavailable])
        let error = await #expect(throws: HKError.self) {
            try await HKHealthStore(environment: environment).earliestAuthorizedSampleDate(for: [Made.steps])
        }
        #expect(error?.code == .errorHealthDataUnavailable)
    }

    @Test func `an anchor neither loses nor finds older samples when the limit changes`() async throws {
        let store = store(limiting: [Made.heartRate])
        try save([Made.heartRate(60, at: 0), Made.heartRate(61, at: 20)])
        func changes(_ anchor: HKQueryAnchor?) async throws -> HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result
        {
            try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: Made.heartRate)], anchor: anchor
            ).result(for: store)
        }
        let limited = try await changes(nil)
        #expect(limited.addedSamples.map(\.startDate) == [Made.start + 20])
        store.environment.permissions.change { $0.set(read: true, [Made.heartRate]) }
        #expect(try await changes(limited.newAnchor).addedSamples.isEmpty)
        let whole = try await changes(nil)
        #expect(whole.addedSamples.count == 2)
        store.environment.permissions.change { $0.set(readingFrom: limit, [Made.heartRate]) }
        #expect(try await changes(whole.newAnchor).deletedObjects.isEmpty)
    }

    @Test func `a running collection query follows the limit`() async throws {
        let store = store(limiting: [Made.steps])
        store.environment.permissions.change { $0.set(read: true, [Made.steps]) }
        try save([Made.steps(10, from: 0, to: 5), Made.steps(20, from: 11, to: 12)])
        let results = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Made.steps), options: .cumulativeSum, anchorDate: Made.start,
            intervalComponents: DateComponents(second: 10)
        ).results(for: store)
        var collections = results.makeAsyncIterator()
        func sums() async throws -> [Double?]? {
            try await collections.next()?.statisticsCollection.statistics().map {
                $0.sumQuantity()?.doubleValue(for: .count())
            }
        }
        #expect(try await sums() == [10, 20])
        store.environment.permissions.change { $0.set(readingFrom: limit, [Made.steps]) }
        try save([Made.steps(30, from: 21, to: 22)])
        #expect(try await sums() == [20, 30])
    }

    @Test func `a correlation contains the parts within their limits`() async throws {
        let (systolic, diastolic) = (HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic))
        func measured(at second: Double) -> HKCorrelation {
            let date = Made.start + second
            let parts = [systolic, diastolic].map {
                HKQuantitySample(
                    type: $0, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 100), start: date,
                    end: date)
            }
            return HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: date, end: date, objects: Set(parts))
        }
        try save([measured(at: 0), measured(at: 20)])
        let store = store(limiting: [systolic, diastolic])
        func parts() async throws -> [Set<HKSampleType>] {
            try await HKSampleQueryDescriptor(
                predicates: [.correlation(type: HKCorrelationType(.bloodPressure))],
                sortDescriptors: [SortDescriptor(\.startDate)]
            ).result(for: store).map { Set($0.objects.map(\.sampleType)) }
        }
        #expect(try await parts() == [[systolic, diastolic]])
        store.environment.permissions.change { $0.set(read: true, [diastolic]) }
        #expect(try await parts() == [[diastolic], [systolic, diastolic]])
    }

    @Test func `activity summaries begin with the day of the limit`() async throws {
        let days = [-1.0, 0, 1].map { Made.start + $0 * 86400 }
        try save(
            days.map {
                HKQuantitySample(
                    type: HKQuantityType(.activeEnergyBurned),
                    quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 100),
                    start: $0, end: $0 + 60)
            })
        let store = store(limiting: [summaries])
        #expect(try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store).count == 2)
    }

    @Test func `contents of hidden samples are empty`() async throws {
        let store = store(limiting: [HKSeriesType.heartbeat(), HKQuantityType(.heartRateVariabilitySDNN)])
        let (hidden, seen) = (Made.start, Made.start + 20)
        for start in [hidden, seen] {
            try database.save(
                try HKHeartbeatSeriesSample.validated(ObjectIdentity(), count: 2, start: start, end: start + 1),
                series: .heartbeats([
                    StoredHeartbeat(secondsSinceStart: 0, precededByGap: false),
                    StoredHeartbeat(secondsSinceStart: 1, precededByGap: false),
                ]
                ),
                from: Made.source("Watch"))
        }
        for case let series as HKHeartbeatSeriesSample in try database.all(HKSeriesType.heartbeat()) {
            var beats = 0
            do {
                for try await _ in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) { beats += 1 }
            } catch let error as HKError where error.code == .errorInvalidArgument {}
            #expect(beats == (series.startDate == hidden ? 0 : 2))
        }
    }

    @Test func `a limit is stored, and a later answer replaces it`() throws {
        var answers = Authorization()
        answers.set(readingFrom: limit, [Made.heartRate, Made.steps])
        let again = try JSONDecoder().decode(Authorization.self, from: JSONEncoder().encode(answers))
        #expect(again == answers && again.earliestEnd(of: Made.heartRate) == limit)
        var other = Authorization()
        other.set(read: true, [Made.heartRate])
        let both = answers.merging(other)
        #expect(both.earliestEnd(of: Made.heartRate) == nil && both.earliestEnd(of: Made.steps) == limit)
        #expect(other.merging(answers).earliestEnd(of: Made.heartRate) == limit)
    }
}
