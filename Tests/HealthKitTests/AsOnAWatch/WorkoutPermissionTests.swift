import Foundation
import HealthKit
import Synchronization
import Testing

/// The errors of an app that may not share workouts.
///
/// Apple documents the codes (`HKError.Code.errorAuthorizationNotDetermined`, `.errorAuthorizationDenied`). A workout
/// builder reports the second one: github.com/kingstinct/react-native-healthkit/issues/172.
@Suite struct WorkoutPermissionTests {
    private let told = Told()

    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
    }

    private func builder(share allowed: Bool?) -> HKWorkoutBuilder {
        var environment = HealthEnvironment(sensors: [])
        let permissions = Permissions(answer: .success(.deny), app: "tested")
        permissions.change { $0.set(share: allowed, [HKObjectType.workoutType()]) }
        environment.permissions = permissions
        environment.notices = AppNotices { [told] line in told.lines.withLock { $0.append(line) } }
        return HKWorkoutBuilder(
            healthStore: HKHealthStore(environment: environment), configuration: HKWorkoutConfiguration(), device: nil)
    }

    @Test func `collection does not begin if the app never asked to share workouts`() async throws {
        let builder = builder(share: nil)
        let error = await #expect(throws: HKError.self) { try await builder.beginCollection(at: TestSession.start) }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        #expect(builder.startDate == nil)
        #expect(told.lines.withLock { $0.count } == 1)
    }

    @Test func `collection does not begin if sharing is denied, and does once it is allowed`() async throws {
        let refused = builder(share: false)
        let error = await #expect(throws: HKError.self) { try await refused.beginCollection(at: TestSession.start) }
        #expect(error?.code == .errorAuthorizationDenied)
        #expect(told.lines.withLock { $0.first?.contains("HKWorkoutTypeIdentifier") == true })
        refused.healthStore.environment.permissions.change { $0.set(share: true, [HKObjectType.workoutType()]) }
        try await refused.beginCollection(at: TestSession.start)
        #expect(refused.startDate == TestSession.start)
    }
}
