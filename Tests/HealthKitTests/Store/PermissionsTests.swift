import Foundation
import HealthKit
import MadeSamples
import Synchronization
import Testing

@Suite struct PermissionsTests {
    private let heartRate = HKQuantityType(.heartRate)
    private let steps = HKQuantityType(.stepCount)

    /// An app's store, as another process would open it. `answer` is what the user answers.
    private func store(
        _ path: String, app: String = "app", given: AuthorizationAnswer = .ask, asked: Counter,
        answer: AuthorizationAnswer? = .allow
    ) -> HKHealthStore {
        let database = SQLiteHealthDatabase(.file(path))
        var environment = HealthEnvironment(sensors: [], database: database)
        environment.permissions = HealthKit.Permissions(
            answer: .success(given), app: HKSource(name: app, bundleIdentifier: "test.\(app)"), database: database
        ) { _, _ in
            asked.add()
            return answer
        }
        return HKHealthStore(environment: environment)
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder + "/health.sqlite")
    }

    @Test func `a person's answer holds for other processes too`() async throws {
        try await inFolder { path in
            let asked = Counter()
            let first = store(path, asked: asked)
            try await first.requestAuthorization(toShare: [heartRate], read: [steps])
            let second = store(path, asked: asked)
            #expect(second.authorizationStatus(for: heartRate) == .sharingAuthorized)
            #expect(try await second.statusForAuthorizationRequest(toShare: [heartRate], read: [steps]) == .unnecessary)
            try await second.requestAuthorization(toShare: [heartRate], read: [steps])
            #expect(asked.count == 1)
            try await second.requestAuthorization(toShare: [steps], read: [])
            #expect(asked.count == 2)
            #expect(first.authorizationStatus(for: steps) == .sharingAuthorized)
        }
    }

    @Test func `each app has its own permissions`() async throws {
        try await inFolder { path in
            let asked = Counter()
            try await store(path, asked: asked).requestAuthorization(toShare: [heartRate], read: [])
            let other = store(path, app: "other", asked: asked)
            #expect(other.authorizationStatus(for: heartRate) == .notDetermined)
            try await other.requestAuthorization(toShare: [heartRate], read: [])
            #expect(try other.database.appsWithPermissions() == ["test.app", "test.other"])
            try other.database.store(nil as StoredPermissions?, of: "test.app")
            #expect(try other.database.appsWithPermissions() == ["test.other"])
        }
    }

    @Test func `answers of the variable, and refusals without a person, are not stored`() async throws {
        try await inFolder { path in
            let asked = Counter()
            let given = store(path, given: .allow, asked: asked)
            try await given.requestAuthorization(toShare: [heartRate], read: [])
            #expect(given.authorizationStatus(for: heartRate) == .sharingAuthorized)
            let alone = store(path, asked: asked, answer: nil)
            #expect(alone.authorizationStatus(for: heartRate) == .notDetermined)
            try await alone.requestAuthorization(toShare: [heartRate], read: [])
            #expect(alone.authorizationStatus(for: heartRate) == .sharingDenied)
            #expect(store(path, asked: asked).authorizationStatus(for: heartRate) == .notDetermined)
        }
    }

    @Test func `types that were never requested or were denied cannot be saved`() async throws {
        try await inFolder { path in
            let store = store(path, asked: Counter(), answer: .types([:]))
            func code() async -> HKError.Code? {
                do {
                    try await store.save(Made.heartRate(60, at: 0))
                    return nil
                } catch {
                    return (error as? HKError)?.code
                }
            }
            #expect(await code() == .errorAuthorizationNotDetermined)
            try await store.requestAuthorization(toShare: [heartRate], read: [])
            #expect(await code() == .errorAuthorizationDenied)
            var kept = try #require(try store.database.permissions(of: "test.app"))
            kept.authorization.set(share: true, [heartRate])
            try store.database.store(kept, of: "test.app")
            #expect(await code() == nil)
        }
    }

    @Test func `a guest cannot write`() async throws {
        var environment = HealthEnvironment(sensors: [])
        environment.conditions = .success([.guest])
        let store = HKHealthStore(environment: environment)
        do {
            try await store.save(Made.heartRate(60, at: 0))
            Issue.record("saved")
        } catch {
            #expect((error as? HKError)?.code == .errorNotPermissibleForGuestUserMode)
        }
    }

    @Test func `an outside change takes effect at once`() async throws {
        try await inFolder { path in
            let store = store(path, asked: Counter())
            try await store.requestAuthorization(toShare: [heartRate], read: [])
            var kept = try #require(try store.database.permissions(of: "test.app"))
            kept.authorization.set(share: false, [heartRate])
            try SQLiteHealthDatabase(.file(path)).store(kept, of: "test.app")
            #expect(store.authorizationStatus(for: heartRate) == .sharingDenied)
        }
    }
}
