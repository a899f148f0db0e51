public import Foundation
public import HealthKit

/// One call of a delegate, as a value: named as the method is, without dates, which are in ``HealthKitWorld/entries(ofWorkout:)``.
public enum DelegateCall: Sendable, Equatable {
    // Of HKWorkoutSessionDelegate.
    case didChange(to: HKWorkoutSessionState, from: HKWorkoutSessionState)
    case didFail(HKError.Code)
    case didGenerate(HKWorkoutEventType)
    case didBeginActivity(HKWorkoutActivityType)
    case didEndActivity(HKWorkoutActivityType)
    case didReceiveData([Data])
    /// Without a code where the disconnection was orderly.
    case didDisconnect(HKError.Code?)

    // Of HKLiveWorkoutBuilderDelegate.
    case didCollectData(of: Set<HKSampleType>)
    case didCollectEvent
    case builderDidBegin(HKWorkoutActivityType)
    case builderDidEnd(HKWorkoutActivityType)
}
