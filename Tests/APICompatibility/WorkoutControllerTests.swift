import Foundation
import HealthKit
import Testing

@Suite struct WorkoutControllerTests {
    private static func environment(_ sensors: String) -> HealthEnvironment {
        HealthEnvironment(variables: [
            "HEALTHKIT_SENSORS": sensors, "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
    }

    @MainActor @Test func `an app that dispatches every callback to the main queue gets its workout`() async throws {
        let environment = Self.environment("simulate:easyRun?seed=3&speed=max&duration=60")
        let controller = HealthEnvironment.$current.withValue(environment) { WorkoutController() }
        try await controller.healthStore.requestAuthorization(toShare: [.workoutType()], read: [])
        try await controller.begin(WorkoutPlan().configuration)
        controller.addLap()
        controller.addNote()
        let workout = try #require(try await controller.finish())
        #expect(workout.workoutActivityType == .running)
        #expect(workout.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == false)
        #expect(controller.states.contains(.running))
        #expect(controller.error == nil)
        controller.giveUp()
        #expect(!controller.isRunning)
        #expect(controller.elapsed == 0)
    }

    @Test func `an importer with callbacks builds a workout of samples and events`() async throws {
        let store = HealthEnvironment.$current.withValue(Self.environment("simulate:easyRun")) { HKHealthStore() }
        try await store.requestAuthorization(
            toShare: [.workoutType(), HKQuantityType(.distanceWalkingRunning)], read: [])
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let distance = HKQuantitySample(
            type: HKQuantityType(.distanceWalkingRunning), quantity: HKQuantity(unit: .meter(), doubleValue: 1000),
            start: start, end: start + 300)
        let lap = HKWorkoutEvent(lapFrom: start, to: start + 150)
        let workout: HKWorkout? = try await withCheckedThrowingContinuation { done in
            WorkoutImporter(healthStore: store).write([distance], from: start, to: start + 300, events: [lap]) {
                workout, error in
                if let error { done.resume(throwing: error) } else { done.resume(returning: workout) }
            }
        }
        #expect(workout?.duration == 300)
        #expect(workout?.workoutEvents?.count == 1)
        #expect(workout?.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity() == distance.quantity)
        #expect(workout?.metadata?[HKMetadataKeyCoachedWorkout] as? Bool == true)
    }
}
