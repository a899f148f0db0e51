// App code in the newer manner: async calls on the main actor, a stream of state changes, recommended end order.

import HealthKit
import Observation

struct SessionStateChange: Sendable {
    let newState: HKWorkoutSessionState
    let date: Date
}

@MainActor
@Observable
final class RideRecorder: NSObject {
    let healthStore = HKHealthStore()
    private(set) var session: HKWorkoutSession?
    private(set) var builder: HKLiveWorkoutBuilder?
    private(set) var workout: HKWorkout?
    private(set) var sessionState: HKWorkoutSessionState = .notStarted
    private(set) var heartRates: [Double] = []
    private(set) var failure: (any Error)?

    private let changes = AsyncStream.makeStream(of: SessionStateChange.self, bufferingPolicy: .bufferingNewest(1))

    func ride() async throws -> HKWorkout? {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .cycling
        configuration.locationType = .outdoor
        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        self.session = session
        self.builder = builder
        session.delegate = self
        builder.delegate = self
        let source = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        source.enableCollection(for: HKQuantityType(.cyclingPower), predicate: nil)
        builder.dataSource = source

        session.prepare()
        session.startActivity(with: Date())
        try await builder.beginCollection(at: Date())
        try await builder.addMetadata([HKMetadataKeyIndoorWorkout: false, "Bike": "steel"])
        for await change in changes.stream {
            sessionState = change.newState
            if change.newState == .stopped {
                try await builder.endCollection(at: change.date)
                workout = try await builder.finishWorkout()
                session.end()
                break
            }
        }
        return workout
    }
}

extension RideRecorder: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        guard toState == .stopped else { return }
        changes.continuation.yield(SessionStateChange(newState: toState, date: date))
    }

    nonisolated func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        Task { @MainActor in failure = error }
    }
}

extension RideRecorder: HKLiveWorkoutBuilderDelegate {
    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        Task { @MainActor in
            if let statistics = workoutBuilder.statistics(for: HKQuantityType(.heartRate)),
                let quantity = statistics.mostRecentQuantity()
            {
                heartRates.append(quantity.doubleValue(for: HKUnit(from: "count/min")))
            }
        }
    }

    nonisolated func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    nonisolated func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)
    {
    }
}
