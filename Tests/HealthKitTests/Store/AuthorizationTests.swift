import Foundation
import HealthKit
import Testing

@Suite struct AuthorizationTests {
    private let heartRate = HKQuantityType(.heartRate)
    private let steps = HKQuantityType(.stepCount)

    private func store(_ answer: AuthorizationAnswer) -> HKHealthStore {
        var environment = HealthEnvironment(sensors: [])
        environment.permissions = Permissions(answer: .success(answer), app: "test")
        return HKHealthStore(environment: environment)
    }

    @Test func `a type that was never requested is undetermined`() async throws {
        let store = store(.allow)
        #expect(store.authorizationStatus(for: heartRate) == .notDetermined)
        #expect(try await store.statusForAuthorizationRequest(toShare: [heartRate], read: []) == .shouldRequest)
    }

    @Test func `sharing and reading are separate for each type`() async throws {
        let store = store(.types(["heartRate": try rights(#"{"share": true}"#)]))
        try await store.requestAuthorization(toShare: [heartRate, steps], read: [heartRate])
        #expect(store.authorizationStatus(for: heartRate) == .sharingAuthorized)
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
        #expect(store.environment.permissions.current.mayRead(heartRate) == false)
        #expect(try await store.statusForAuthorizationRequest(toShare: [heartRate], read: []) == .unnecessary)
        #expect(try await store.statusForAuthorizationRequest(toShare: [], read: [steps]) == .shouldRequest)
    }

    private func rights(_ json: String) throws -> AuthorizationAnswer.Rights {
        try JSONDecoder().decode(AuthorizationAnswer.Rights.self, from: Data(json.utf8))
    }

    @Test func `an answered question is not repeated`() async throws {
        let store = store(.allow)
        try await store.requestAuthorization(toShare: [heartRate], read: [])
        var environment = store.environment
        environment.permissions = store.environment.permissions
        try await store.requestAuthorization(toShare: [heartRate], read: [])
        #expect(store.authorizationStatus(for: heartRate) == .sharingAuthorized)
    }

    @Test func `the variable contains allow, deny or a file`() throws {
        #expect(try AuthorizationAnswer(parsing: nil) == .ask)
        #expect(try AuthorizationAnswer(parsing: "allow") == .allow)
        #expect(try AuthorizationAnswer(parsing: "deny") == .deny)
        #expect(try AuthorizationAnswer(parsing: "past-30-days") == .allowPast(days: 30))
        #expect(throws: HKError.self) { try AuthorizationAnswer(parsing: "past-few-days") }
        let error = #expect(throws: HKError.self) { try AuthorizationAnswer(parsing: "/nowhere.json") }
        #expect(error?.localizedDescription.contains("/nowhere.json") == true)
    }

    @Test func `requesting to share read-only types is a programmer's mistake`() async {
        await #expect(processExitsWith: .failure) {
            let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
            store.requestAuthorization(toShare: [HKQuantityType(.appleExerciseTime)], read: []) { _, _ in }
        }
    }
}
