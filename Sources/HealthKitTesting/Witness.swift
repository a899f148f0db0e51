import HealthKit
import Synchronization

/// A delegate that is called before the app's, whichever that is.
final class Witness: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, Sendable {
    private let calls = Mutex<[DelegateCall]>([])

    var all: [DelegateCall] { calls.withLock { $0 } }

    private func note(_ call: DelegateCall) { calls.withLock { $0.append(call) } }

    private static func code(_ error: any Error) -> HKError.Code { (error as? HKError)?.code ?? .unknownError }

    // MARK: The session's

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        note(.didChange(to: toState, from: fromState))
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        note(.didFail(Self.code(error)))
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        note(.didGenerate(event.type))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        note(.didBeginActivity(workoutConfiguration.activityType))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {
        note(.didEndActivity(workoutConfiguration.activityType))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        note(.didReceiveData(data))
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        note(.didDisconnect(error.map(Self.code)))
    }

    // MARK: The builder's

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        note(.didCollectData(of: collectedTypes))
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) { note(.didCollectEvent) }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity) {
        note(.builderDidBegin(workoutActivity.workoutConfiguration.activityType))
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity) {
        note(.builderDidEnd(workoutActivity.workoutConfiguration.activityType))
    }
}
