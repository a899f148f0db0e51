import Foundation
import HealthKit
import Observation

/// An app's workout, for its views.
@MainActor @Observable
final class WorkoutManager: NSObject {
    private(set) var heartRate: Double?
    private(set) var averageHeartRate: Double?
    private(set) var state = HKWorkoutSessionState.notStarted
    private(set) var workout: HKWorkout?
    /// An error message for an alert.
    private(set) var problem: String?

    @ObservationIgnored private let healthStore = HKHealthStore()
    @ObservationIgnored private var session: HKWorkoutSession?
    @ObservationIgnored private var builder: HKLiveWorkoutBuilder?

    /// Called by the start button. On a watch with a paired phone, `mirrors` also shows the workout there.
    func start(_ activity: HKWorkoutActivityType, mirrors: Bool = false) {
        Task {
            do {
                try await begin(activity, mirrors)
            } catch {
                problem = error.localizedDescription
            }
        }
    }

    private func begin(_ activity: HKWorkoutActivityType, _ mirrors: Bool) async throws {
        try await healthStore.requestAuthorization(
            toShare: [.workoutType()], read: [HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned)])
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor
        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        session.delegate = self
        builder.delegate = self
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        (self.session, self.builder) = (session, builder)
        if mirrors { try await session.startMirroringToCompanionDevice() }
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
    }

    func pause() { session?.pause() }
    func resume() { session?.resume() }
    func end() { session?.stopActivity(with: .now) }

    private func finish(at date: Date) async {
        guard let builder else { return }
        do {
            try await builder.endCollection(at: date)
            workout = try await builder.finishWorkout()
            session?.end()
        } catch {
            problem = error.localizedDescription
        }
    }

    private func show(_ statistics: HKStatistics?) {
        let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
        heartRate = statistics?.mostRecentQuantity()?.doubleValue(for: beatsPerMinute)
        averageHeartRate = statistics?.averageQuantity()?.doubleValue(for: beatsPerMinute).rounded()
    }
}

extension WorkoutManager: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        Task { @MainActor in
            state = toState
            if toState == .stopped { await finish(at: date) }
        }
    }

    nonisolated func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        let words = error.localizedDescription
        Task { @MainActor in problem = words }
    }
}

extension WorkoutManager: HKLiveWorkoutBuilderDelegate {
    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {
        guard collectedTypes.contains(HKQuantityType(.heartRate)) else { return }
        let statistics = workoutBuilder.statistics(for: HKQuantityType(.heartRate))
        Task { @MainActor in show(statistics) }
    }

    nonisolated func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
