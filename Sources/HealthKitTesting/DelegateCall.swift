public import Foundation
public import HealthKit

/// One call of a delegate, as a value. The cases have the names of the methods. Dates are in ``HealthKitWorld/entries(ofWorkout:)``.
public enum DelegateCall: Sendable, Equatable {
    // Of HKWorkoutSessionDelegate.
    /// The session's state changed.
    case didChange(to: HKWorkoutSessionState, from: HKWorkoutSessionState)
    /// Something failed, with the error's code.
    case didFail(HKError.Code)
    /// The session generated an event.
    case didGenerate(HKWorkoutEventType)
    /// An activity of the session began.
    case didBeginActivity(HKWorkoutActivityType)
    /// An activity of the session ended.
    case didEndActivity(HKWorkoutActivityType)
    /// The other side of a mirrored session sent data, oldest first.
    case didReceiveData([Data])
    /// The other side disconnected. Without a code after an orderly end.
    case didDisconnect(HKError.Code?)

    // Of HKLiveWorkoutBuilderDelegate.
    /// Samples of these types were collected.
    case didCollectData(of: Set<HKSampleType>)
    /// An event was collected.
    case didCollectEvent
    /// An activity of the workout began.
    case builderDidBegin(HKWorkoutActivityType)
    /// An activity of the workout ended.
    case builderDidEnd(HKWorkoutActivityType)
}
