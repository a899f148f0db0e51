public import Foundation
public import HealthKit

/// One call of a delegate, as a value: named as the method is, without dates, which are in ``HealthKitWorld/entries(ofWorkout:)``.
public enum DelegateCall: Sendable, Equatable {
    // Of HKWorkoutSessionDelegate.
    /// The session's state changed.
    case didChange(to: HKWorkoutSessionState, from: HKWorkoutSessionState)
    /// Something went wrong; the code of the error.
    case didFail(HKError.Code)
    /// The session generated an event.
    case didGenerate(HKWorkoutEventType)
    /// An activity of the session began.
    case didBeginActivity(HKWorkoutActivityType)
    /// An activity of the session ended.
    case didEndActivity(HKWorkoutActivityType)
    /// The other side of a mirrored session sent this, oldest first.
    case didReceiveData([Data])
    /// Without a code where the disconnection was orderly.
    case didDisconnect(HKError.Code?)

    // Of HKLiveWorkoutBuilderDelegate.
    /// Samples of these types came in.
    case didCollectData(of: Set<HKSampleType>)
    /// An event came in.
    case didCollectEvent
    /// An activity of the workout began.
    case builderDidBegin(HKWorkoutActivityType)
    /// An activity of the workout ended.
    case builderDidEnd(HKWorkoutActivityType)
}
