import Foundation
import HealthKit
import MadeSamples
import SessionLog
import Testing

/// What an app can read before it has asked, or after a refusal. Its own samples have the source
/// `HKSourceRevision.current`.
@Suite struct ReadPermissionTests {
    private let database = SQLiteHealthDatabase(.memory)
    private let systolic = HKQuantityType(.bloodPressureSystolic)
    private let diastolic = HKQuantityType(.bloodPressureDiastolic)
    private let mercury = HKUnit.millimeterOfMercury()

    private func store(_ answer: AuthorizationAnswer = .allow) -> HKHealthStore {
        var environment = HealthEnvironment(sensors: [], database: database)
        environment.permissions = Permissions(answer: .success(answer), app: .default())
        return HKHealthStore(environment: environment)
    }

    private func code(_ body: () async throws -> Void) async -> HKError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HKError)?.code
        }
    }

    /// One query of each kind for `Made.heartRate`, or for the type beside its name.
    static let questions: [(name: String, ask: @Sendable (HKHealthStore) async throws -> Int)] = [
        (
            "samples",
            {
                try await HKSampleQueryDescriptor(
                    predicates: [.quantitySample(type: Made.heartRate)], sortDescriptors: []
                ).result(for: $0).count
            }
        ),
        (
            "anchored",
            {
                try await HKAnchoredObjectQueryDescriptor(
                    predicates: [.quantitySample(type: Made.heartRate)], anchor: nil
                ).result(for: $0).addedSamples.count
            }
        ),
        (
            "statistics",
            { store in
                do {
                    let statistics = try await HKStatisticsQueryDescriptor(
                        predicate: .quantitySample(type: Made.heartRate), options: .discreteAverage
                    ).result(for: store)
                    return statistics?.total.count ?? 0
                } catch let error as HKError where error.code == .errorNoData {
                    return 0
                }
            }
        ),
        (
            "collection",
            {
                try await HKStatisticsCollectionQueryDescriptor(
                    predicate: .quantitySample(type: Made.heartRate), options: .discreteAverage,
                    anchorDate: Made.start, intervalComponents: DateComponents(hour: 1)
                ).result(for: $0).statistics().reduce(0) { $0 + $1.total.count }
            }
        ),
        (
            "sources",
            {
                try await HKSourceQueryDescriptor(predicate: .quantitySample(type: Made.heartRate)).result(for: $0)
                    .count
            }
        ),
        (
            "series",
            { store in
                var count = 0
                for try await _ in HKQuantitySeriesSampleQueryDescriptor(
                    predicate: .quantitySample(type: Made.heartRate)
                ).results(for: store) { count += 1 }
                return count
            }
        ),
    ]

    @Test(arguments: questions.indices)
    func `a type that was never requested cannot be queried`(_ index: Int) async throws {
        try database.save([Made.heartRate(60, at: 0)], from: Made.source("Watch"))
        let question = Self.questions[index]
        #expect(
            await code { _ = try await question.ask(store()) } == .errorAuthorizationNotDetermined, "\(question.name)")
    }

    @Test(arguments: questions.indices)
    func `of a denied type an app sees its own samples`(_ index: Int) async throws {
        let question = Self.questions[index]
        let store = store(.types(["heartRate": try rights(#"{"share": true}"#)]))
        try await store.requestAuthorization(toShare: [Made.heartRate], read: [Made.heartRate])
        try database.save([Made.heartRate(60, at: 0), Made.heartRate(61, at: 1)], from: Made.source("Watch"))
        #expect(try await question.ask(store) == 0, "\(question.name)")
        try await store.save(Made.heartRate(70, at: 2))
        #expect(try await question.ask(store) == 1, "\(question.name)")
    }

    @Test(arguments: questions.indices)
    func `the owner of the data needs no permission`(_ index: Int) async throws {
        try database.save([Made.heartRate(60, at: 0)], from: Made.source("Watch"))
        var environment = HealthEnvironment(variables: ["HEALTHKIT_STORE": "memory"]).ofOwner
        environment.database = database
        #expect(try await Self.questions[index].ask(HKHealthStore(environment: environment)) == 1)
    }

    @Test(arguments: [
        (DeviceCondition.locked, HKError.Code.errorDatabaseInaccessible), (.unavailable, .errorHealthDataUnavailable),
        (.restricted, .errorHealthDataRestricted),
    ])
    func `the device's state takes precedence`(_ condition: DeviceCondition, _ expected: HKError.Code) async throws {
        var environment = HealthEnvironment(sensors: [], database: database)
        environment.conditions = .success([condition])
        let store = HKHealthStore(environment: environment)
        for question in Self.questions { #expect(await code { _ = try await question.ask(store) } == expected) }
    }

    @Test func `an observer of a type that was never requested gets only the error`() async throws {
        let calls = Calls<HKError.Code?>()
        let query = HKObserverQuery(sampleType: Made.heartRate, predicate: nil) { _, _, error in
            calls.add((error as? HKError)?.code)
        }
        store().execute(query)
        #expect(await calls.next() == .errorAuthorizationNotDetermined)
        #expect(!query.run.isActive)
    }

    @Test func `background delivery needs permission too, and is for samples`() async throws {
        let store = store()
        #expect(
            await code { try await store.enableBackgroundDelivery(for: Made.heartRate, frequency: .hourly) }
                == .errorAuthorizationNotDetermined)
        #expect(
            await code {
                try await store.enableBackgroundDelivery(for: HKCharacteristicType(.bloodType), frequency: .hourly)
            } == .errorInvalidArgument)
    }

    @Test func `activity summaries have a permission of their own`() async throws {
        let summaries = HKActivitySummaryQueryDescriptor(predicate: nil)
        try database.save(
            [
                HKQuantitySample(
                    type: HKQuantityType(.activeEnergyBurned),
                    quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 100), start: Made.start,
                    end: Made.start + 60)
            ], from: Made.source("Watch"))
        let store = store()
        #expect(await code { _ = try await summaries.result(for: store) } == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [], read: [HKObjectType.activitySummaryType()])
        #expect(try await summaries.result(for: store).count == 1)
        let refused = self.store(.deny)
        try await refused.requestAuthorization(toShare: [], read: [HKObjectType.activitySummaryType()])
        #expect(try await summaries.result(for: refused).isEmpty)
    }

    @Test func `a correlation contains the readable parts`() async throws {
        let parts: Set<HKSample> = [
            HKQuantitySample(
                type: systolic, quantity: HKQuantity(unit: mercury, doubleValue: 120), start: Made.start,
                end: Made.start),
            HKQuantitySample(
                type: diastolic, quantity: HKQuantity(unit: mercury, doubleValue: 80), start: Made.start,
                end: Made.start),
        ]
        let pressure = HKCorrelationType(.bloodPressure)
        try database.save(
            [HKCorrelation(type: pressure, start: Made.start, end: Made.start, objects: parts)],
            from: Made.source("Cuff"))
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.correlation(type: pressure)], sortDescriptors: [])
        let store = store(.types(["bloodPressureSystolic": try rights(#"{"read": true}"#)]))
        #expect(await code { _ = try await descriptor.result(for: store) } == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [], read: [systolic, diastolic])
        let seen = try await descriptor.result(for: store)
        #expect(seen.map { $0.objects.map(\.sampleType) } == [[systolic]])
        let refused = self.store(.deny)
        try await refused.requestAuthorization(toShare: [], read: [systolic, diastolic])
        #expect(try await descriptor.result(for: refused).isEmpty)
    }

    // MARK: Writing

    @Test func `saving a heartbeat series needs permission, and waits for it`() async throws {
        let store = store()
        let builder = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: Made.start)
        try await builder.addHeartbeat(at: 1, precededByGap: false)
        #expect(await code { _ = try await builder.finishSeries() } == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [HKSeriesType.heartbeat()], read: [])
        #expect(try await builder.finishSeries().count == 1)
        let refused = self.store(.deny)
        try await refused.requestAuthorization(toShare: [HKSeriesType.heartbeat()], read: [])
        let other = HKHeartbeatSeriesBuilder(healthStore: refused, device: nil, start: Made.start)
        try await other.addHeartbeat(at: 1, precededByGap: false)
        #expect(await code { _ = try await other.finishSeries() } == .errorAuthorizationDenied)
    }

    @Test func `saving a workout needs permission, and so do its samples`() async throws {
        let store = store()
        let builder = HKWorkoutBuilder(healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
        #expect(
            await code { try await builder.beginCollection(at: Made.start) } == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [.workoutType()], read: [])
        try await builder.beginCollection(at: Made.start)
        let sample = Made.steps(100, from: 0, to: 60)
        #expect(await code { try await builder.addSamples([sample]) } == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [Made.steps], read: [])
        try await builder.addSamples([sample])
        try await builder.endCollection(at: Made.start + 60)
        // Meanwhile the user has changed the permission.
        store.environment.permissions.change { $0.set(share: false, [HKObjectType.workoutType()]) }
        #expect(await code { _ = try await builder.finishWorkout() } == .errorAuthorizationDenied)
        store.environment.permissions.change { $0.set(share: true, [HKObjectType.workoutType()]) }
        #expect(try await builder.finishWorkout() != nil)
    }

    @Test func `deleting needs permission, and finds only the app's own samples`() async throws {
        let own = Made.heartRate(60, at: 0)
        try database.save([own], from: .current)
        try database.save([Made.heartRate(61, at: 1)], from: Made.source("Watch"))
        let store = store()
        let all = HKQuery.predicateForSamples(withStart: nil, end: nil)
        #expect(await code { try await store.delete(own) } == .errorAuthorizationNotDetermined)
        #expect(
            await code { try await store.deleteObjects(of: Made.heartRate, predicate: all) }
                == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(toShare: [Made.heartRate], read: [])
        #expect(try await store.deleteObjects(of: Made.heartRate, predicate: all) == 1)
        #expect(try database.all(Made.heartRate).count == 1)
        #expect(
            await code { try await store.deleteObjects(of: HKCharacteristicType(.bloodType), predicate: all) }
                == .errorInvalidArgument)
    }

    @Test func `objects that are picked one by one are requested one by one`() async throws {
        let store = store()
        let prescriptions = HKObjectType.visionPrescriptionType()
        #expect(
            await code { try await store.requestAuthorization(toShare: [], read: [prescriptions]) }
                == .errorInvalidArgument)
        #expect(
            await code { try await store.requestPerObjectReadAuthorization(for: Made.heartRate, predicate: nil) }
                == .errorInvalidArgument)
        try await store.requestPerObjectReadAuthorization(for: prescriptions, predicate: nil)
        #expect(try store.readAccess(to: prescriptions) == .all)
    }

    private func rights(_ json: String) throws -> AuthorizationAnswer.Rights {
        try JSONDecoder().decode(AuthorizationAnswer.Rights.self, from: Data(json.utf8))
    }
}
