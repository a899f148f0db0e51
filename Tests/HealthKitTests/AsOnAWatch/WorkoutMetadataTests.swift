import Foundation
import HealthKit
import Testing

/// The configuration appears in the metadata of the finished workout.
///
/// Apple: `HKMetadataKeyIndoorWorkout`, `HKMetadataKeySwimmingLocationType`, `HKMetadataKeyLapLength`
/// (developer.apple.com/documentation/healthkit/metadata_keys). A stored workout has no configuration, so apps look
/// for it in these.
@Suite struct WorkoutMetadataTests {
    private func stored(
        adding added: [String: Any] = [:], _ configure: (HKWorkoutConfiguration) -> Void
    ) async throws -> [String: Any]? {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configure(configuration)
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: TestSession.start)
        if !added.isEmpty { try await builder.addMetadata(added) }
        try await builder.endCollection(at: TestSession.start + 10)
        _ = try await builder.finishWorkout()
        let stored = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(for: store)
        return try #require(stored.first).metadata
    }

    @Test func `the location of a workout is in its metadata`() async throws {
        let indoor = try await stored { $0.locationType = .indoor }
        #expect(indoor?[HKMetadataKeyIndoorWorkout] as? Bool == true)
        let outdoor = try await stored { $0.locationType = .outdoor }
        #expect(outdoor?[HKMetadataKeyIndoorWorkout] as? Bool == false)
        #expect(try await stored { _ in } == nil)
    }

    @Test func `a swim's location and pool length are in its metadata`() async throws {
        let pool = try await stored {
            $0.activityType = .swimming
            $0.swimmingLocationType = .pool
            $0.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
        }
        #expect(
            pool?[HKMetadataKeySwimmingLocationType] as? Int == HKWorkoutSwimmingLocationType.pool.rawValue)
        #expect((pool?[HKMetadataKeyLapLength] as? HKQuantity)?.doubleValue(for: .meter()) == 25)
        let lake = try await stored {
            $0.activityType = .swimming
            $0.swimmingLocationType = .openWater
        }
        #expect(
            lake?[HKMetadataKeySwimmingLocationType] as? Int == HKWorkoutSwimmingLocationType.openWater.rawValue)
    }

    @Test func `metadata that the app adds overrides the configuration's`() async throws {
        let metadata = try await stored(adding: [HKMetadataKeyIndoorWorkout: false, "Shoes": "old"]) {
            $0.locationType = .indoor
        }
        #expect(metadata?[HKMetadataKeyIndoorWorkout] as? Bool == false)
        #expect(metadata?["Shoes"] as? String == "old")
    }
}
