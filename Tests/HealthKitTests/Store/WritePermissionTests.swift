import CoreLocation
import Foundation
import HealthKit
import MadeSamples
import Testing
import UniformTypeIdentifiers

/// All ways to write, and to read the contents of a sample: before the app has asked, after a refusal, and on a
/// locked device.
@Suite struct WritePermissionTests {
    private static let effort = HKQuantityType(.workoutEffortScore)

    /// A store with a workout and a sample, seen by an app with this answer.
    private struct Case: Sendable {
        let workout: HKWorkout
        let sample: HKQuantitySample
        let store: HKHealthStore
        let file: URL

        init(_ answer: AuthorizationAnswer = .allow, _ conditions: Set<DeviceCondition> = []) throws {
            let database = SQLiteHealthDatabase(.memory)
            workout = try Made.workout(.running, at: 0, lasting: 600)
            sample = Made.heartRate(60, at: 1)
            try database.save([workout, sample], from: .current)
            var environment = HealthEnvironment(sensors: [], database: database)
            environment.permissions = Permissions(answer: .success(answer), app: .default())
            environment.conditions = .success(conditions)
            store = HKHealthStore(environment: environment)
            file = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID()).txt")
            try Data("scan".utf8).write(to: file)
        }

        func ask() async throws {
            let types: Set<HKSampleType> = [
                Made.heartRate, Made.steps, WritePermissionTests.effort, HKSeriesType.workoutRoute(), .workoutType(),
            ]
            try await store.requestAuthorization(toShare: types, read: types)
        }

        func done() { try? FileManager.default.removeItem(at: file) }
    }

    private static let writers: [(name: String, write: @Sendable (Case) async throws -> Void)] = [
        ("save", { try await $0.store.save(Made.steps(10, from: 0, to: 60)) }),
        (
            "quantity series",
            { item in
                let builder = HKQuantitySeriesSampleBuilder(
                    healthStore: item.store, quantityType: Made.heartRate, startDate: Made.start, device: nil)
                try builder.insert(Made.bpm(60), at: Made.start)
                _ = try await builder.finishSeries(metadata: nil)
            }
        ),
        (
            "route",
            { item in
                let builder = HKWorkoutRouteBuilder(healthStore: item.store, device: nil)
                try await builder.insertRouteData([CLLocation(latitude: 47, longitude: 8)])
                _ = try await builder.finishRoute(with: item.workout, metadata: nil)
            }
        ),
        (
            "effort",
            { item in
                let score = HKQuantitySample(
                    type: WritePermissionTests.effort, quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 5),
                    start: item.workout.startDate, end: item.workout.endDate)
                _ = try await item.store.relateWorkoutEffortSample(score, with: item.workout, activity: nil)
            }
        ),
        ("add to a workout", { try await $0.store.addSamples([Made.steps(10, from: 0, to: 60)], to: $0.workout) }),
        (
            "attachment",
            { item in
                let store = HKAttachmentStore(healthStore: item.store)
                let attachment = try await store.addAttachment(
                    to: item.sample, name: "a", contentType: .plainText, url: item.file)
                try await store.removeAttachment(attachment, from: item.sample)
            }
        ),
        ("delete", { try await $0.store.delete($0.sample) }),
    ]

    private func code(_ item: Case, _ body: (Case) async throws -> Void) async -> HKError.Code? {
        defer { item.done() }
        do {
            try await body(item)
            return nil
        } catch {
            return (error as? HKError)?.code
        }
    }

    @Test(arguments: writers.indices)
    func `types that were never requested are not written`(_ index: Int) async throws {
        let writer = Self.writers[index]
        #expect(
            await code(try Case(), writer.write) == .errorAuthorizationNotDetermined, "\(writer.name)")
    }

    @Test(arguments: writers.indices)
    func `denied types are not written`(_ index: Int) async throws {
        let writer = Self.writers[index]
        let item = try Case(.deny)
        try await item.ask()
        #expect(await code(item, writer.write) == .errorAuthorizationDenied, "\(writer.name)")
    }

    @Test(arguments: writers.indices)
    func `allowed types are written`(_ index: Int) async throws {
        let writer = Self.writers[index]
        let item = try Case()
        try await item.ask()
        #expect(await code(item, writer.write) == nil, "\(writer.name)")
    }

    @Test(arguments: writers.indices)
    func `a guest writes nothing`(_ index: Int) async throws {
        let writer = Self.writers[index]
        let item = try Case(.allow, [.guest])
        try await item.ask()
        #expect(await code(item, writer.write) == .errorNotPermissibleForGuestUserMode, "\(writer.name)")
    }

    /// Samples, workouts and heartbeat series are kept beside the store (`LockedJournalTests`); additions to stored
    /// objects cannot be, and HealthKit does not keep quantity series.
    @Test(arguments: writers.indices.dropFirst())
    func `on a locked device everything else is refused`(_ index: Int) async throws {
        let writer = Self.writers[index]
        let item = try Case(.allow, [.locked])
        try await item.ask()
        #expect(await code(item, writer.write) == .errorDatabaseInaccessible, "\(writer.name)")
    }

    // MARK: Reading an object that the app already has

    @Test func `attachments are visible with readable or own objects`() async throws {
        let item = try Case(.deny)
        defer { item.done() }
        let other = Made.heartRate(70, at: 2)
        try item.store.database.save([other], from: Made.source("Watch"))
        for object in [item.sample, other] {
            try item.store.database.add(
                HKAttachment(
                    identifier: UUID(), name: "a", contentType: .plainText, size: 1, creationDate: Made.start,
                    metadata: nil), data: Data([1]), to: object.uuid)
        }
        let attachments = HKAttachmentStore(healthStore: item.store)
        let found = try item.store.database.samples([SampleSelection(Made.heartRate)], sortedBy: [], limit: nil)
        let stored = try #require(found.first { $0.uuid == other.uuid })
        #expect(
            await code(item) { _ in _ = try await attachments.attachments(for: stored) }
                == .errorAuthorizationNotDetermined)
        try await item.ask()
        #expect(try await attachments.attachments(for: stored).isEmpty)
        #expect(try await attachments.attachments(for: item.sample).count == 1)
    }

    @Test func `voltages of an electrocardiogram need permission like other data`() async throws {
        let ecg = try HKElectrocardiogram.validated(
            ObjectIdentity(), classification: .sinusRhythm, averageHeartRate: nil, samplingFrequency: nil,
            numberOfVoltageMeasurements: 0, start: Made.start, end: Made.start + 30)
        func read(_ item: Case) async throws {
            for try await _ in HKElectrocardiogramQueryDescriptor(ecg).results(for: item.store) {}
        }
        #expect(await code(try Case()) { try await read($0) } == .errorAuthorizationNotDetermined)
        #expect(await code(try Case(.allow, [.locked])) { try await read($0) } == .errorDatabaseInaccessible)
        let item = try Case()
        try await item.store.requestAuthorization(toShare: [], read: [HKObjectType.electrocardiogramType()])
        #expect(await code(item) { try await read($0) } == .errorNoData)
    }

    @Test func `an app that requests workout effort need not request estimates`() async throws {
        let item = try Case()
        defer { item.done() }
        let descriptor = HKWorkoutEffortRelationshipQueryDescriptor(predicate: nil, anchor: nil, option: .default)
        #expect(
            await code(item) { _ = try await descriptor.result(for: $0.store) } == .errorAuthorizationNotDetermined)
        try await item.ask()
        let score = HKQuantitySample(
            type: WritePermissionTests.effort, quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 5),
            start: item.workout.startDate, end: item.workout.endDate)
        try await item.store.relateWorkoutEffortSample(score, with: item.workout, activity: nil)
        #expect(try await descriptor.result(for: item.store).relationships.first?.samples?.map(\.uuid) == [score.uuid])
    }

    @Test func `estimates cannot be recalibrated, with a reason`() async throws {
        let item = try Case()
        #expect(!Made.heartRate.allowsRecalibrationForEstimates)
        #expect(
            await code(item) {
                try await $0.store.recalibrateEstimates(sampleType: Made.heartRate, date: Made.start)
            } == .errorInvalidArgument)
    }
}
