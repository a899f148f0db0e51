import Foundation
import HealthKit

// The phone's side: waits for a session, shows it, and stops it.

final class MirroringPhoneApp: NSObject, @unchecked Sendable {
    /// Stops the session after this many messages.
    var enough = 20

    let healthStore = HKHealthStore()
    private let queue = DispatchQueue(label: "phone app")
    private var session: HKWorkoutSession?
    private var shown: [HeartRateMessage] = []
    private var seenStates: [HKWorkoutSessionState] = []

    var messages: [HeartRateMessage] { queue.sync { shown } }
    var states: [HKWorkoutSessionState] { queue.sync { seenStates } }
    var activityType: HKWorkoutActivityType? { queue.sync { session?.workoutConfiguration.activityType } }
    var heartRates: HKStatistics? {
        queue.sync { session }?.associatedWorkoutBuilder().statistics(for: HKQuantityType(.heartRate))
    }
    var whenOver: (((any Error)?) -> Void)?

    /// At launch.
    func retrieveRemoteSession() {
        healthStore.workoutSessionMirroringStartHandler = { mirroredSession in
            // The session continues while the app is busy here: the delegate is called for a start after this.
            let state = mirroredSession.state
            self.queue.sync {
                self.session = mirroredSession
                self.seenStates.append(state)
            }
            mirroredSession.delegate = self
            // Nothing can be sent before the session has started.
            if state != .notStarted { self.greet(mirroredSession) }
        }
    }

    private func greet(_ session: HKWorkoutSession) {
        session.sendToRemoteWorkoutSession(data: Data("hello".utf8)) { _, _ in }
    }

    func stop() {
        queue.sync { session }?.stopActivity(with: .now)
    }
}

extension MirroringPhoneApp: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        queue.sync { seenStates.append(toState) }
        if fromState == .notStarted { greet(workoutSession) }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        let count = queue.sync {
            shown += data.compactMap { try? JSONDecoder().decode(HeartRateMessage.self, from: $0) }
            return shown.count
        }
        if count >= enough { stop() }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        whenOver?(error)
    }
}
