import Foundation
import HealthKit
import Synchronization
import Testing

/// The notices on standard error if an app gets no data.
@Suite struct AppNoticesTests {
    private final class Said: Sendable {
        private let contents = Mutex<[String]>([])
        var lines: [String] { contents.withLock { $0 } }
        var notices: AppNotices { AppNotices { [self] line in contents.withLock { $0.append(line) } } }
    }

    private static func environment(_ variables: [String: String], _ notices: AppNotices) -> HealthEnvironment {
        var environment = HealthEnvironment(variables: variables.merging(["HEALTHKIT_STORE": "memory"]) { $1 })
        environment.notices = notices
        return environment
    }

    private static func session(_ environment: HealthEnvironment) throws -> HKWorkoutSession {
        try HKWorkoutSession(
            healthStore: HKHealthStore(environment: environment), configuration: HKWorkoutConfiguration())
    }

    @Test func `a session without any sensor reports it once, with a remedy`() throws {
        let said = Said()
        let environment = Self.environment([:], said.notices)
        for _ in 0..<3 { _ = try Self.session(environment) }
        #expect(said.lines.count == 1)
        #expect(said.lines[0].contains("no sensor is paired"))
        #expect(said.lines[0].contains("workout pair") && said.lines[0].contains("HEALTHKIT_LOG=quiet"))
    }

    @Test func `an app that handles the missing sensor itself gets no notice`() throws {
        let said = Said()
        _ = try Self.session(Self.environment(["HEALTHKIT_SENSORS": "none"], said.notices))
        _ = try Self.session(HealthEnvironment(sensors: []))
        #expect(said.lines.isEmpty)
    }

    @Test func `a missing recording is reported with its name`() throws {
        let said = Said()
        let environment = Self.environment(["HEALTHKIT_SENSORS": "replay:/nowhere/run.fit"], said.notices)
        #expect(throws: (any Error).self) { try Self.session(environment) }
        #expect(said.lines.count == 1)
        #expect(said.lines.first?.contains("/nowhere/run.fit") == true)
    }

    @Test func `an unanswerable request and a denied type are reported`() async throws {
        let said = Said()
        let environment = HealthEnvironment(sensors: [])
        let database = environment.database
        var denied = environment
        denied.permissions = HealthKit.Permissions(
            answer: .success(.ask), app: HKSource(name: "App", bundleIdentifier: "local.App"), database: database,
            prompt: { _, _ in nil }, notices: said.notices)
        let store = HKHealthStore(environment: denied)
        let types: Set = [HKQuantityType(.heartRate), HKQuantityType(.stepCount)]
        try await store.requestAuthorization(toShare: [], read: types)
        #expect(said.lines.count == 1)
        #expect(said.lines.first?.contains("HEALTHKIT_AUTHORIZATION=allow") == true)
        for type in types {
            _ = try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: type)], sortDescriptors: [])
                .result(for: store)
        }
        #expect(said.lines.count == 2)
        #expect(said.lines.last?.contains("may not read") == true)
        #expect(said.lines.last?.contains("workout permissions local.App --allow") == true)
    }

    @Test func `a limit of the history is reported`() async throws {
        let said = Said()
        var environment = HealthEnvironment(sensors: [])
        environment.permissions = HealthKit.Permissions(
            answer: .success(.allowPast(days: 30)), app: HKSource(name: "App", bundleIdentifier: "local.App"),
            notices: said.notices)
        let store = HKHealthStore(environment: environment)
        let type = HKQuantityType(.heartRate)
        try await store.requestAuthorization(toShare: [], read: [type])
        for _ in 0..<2 {
            _ = try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: type)], sortDescriptors: [])
                .result(for: store)
        }
        #expect(said.lines.count == 1)
        #expect(said.lines.first?.contains("App may read heartRate only from 20") == true)
        #expect(said.lines.first?.contains("workout permissions local.App --allow heartRate --read") == true)
    }

    @Test func `a locked device is reported, and HEALTHKIT_LOG silences all notices`() throws {
        let said = Said()
        let locked = Self.environment(["HEALTHKIT_SIMULATE": "locked"], said.notices)
        #expect(throws: HKError.self) { try locked.requireReadable() }
        #expect(said.lines.count == 1)
        #expect(said.lines.first?.contains("locked") == true)
        #expect(HealthEnvironment(variables: ["HEALTHKIT_LOG": "quiet"]).notices === AppNotices.silent)
        #expect(HealthEnvironment(variables: [:]).notices === AppNotices.process)
        #expect(HealthEnvironment(variables: [:]).ofOwner.notices === AppNotices.silent)
    }
}
