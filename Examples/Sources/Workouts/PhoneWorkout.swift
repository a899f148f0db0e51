import Foundation
import HealthKit
import Observation

/// The phone's side: shows the workout that runs on the watch.
@MainActor @Observable
final class PhoneWorkout: NSObject {
    private(set) var activity: HKWorkoutActivityType?
    private(set) var state = HKWorkoutSessionState.notStarted
    private(set) var isReachable = false

    @ObservationIgnored private let healthStore = HKHealthStore()
    @ObservationIgnored private var session: HKWorkoutSession?

    /// Called at launch. The handler is called when a watch mirrors its session, and again when a lost watch is back.
    func listen() {
        healthStore.workoutSessionMirroringStartHandler = { [weak self] session in
            session.delegate = self
            Task { @MainActor in self?.show(session) }
        }
    }

    func end() { session?.stopActivity(with: .now) }

    private func show(_ session: HKWorkoutSession) {
        self.session = session
        activity = session.workoutConfiguration.activityType
        state = session.state
        isReachable = true
    }
}

extension PhoneWorkout: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        Task { @MainActor in state = toState }
    }

    nonisolated func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}

    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        Task { @MainActor in isReachable = false }
    }
}
