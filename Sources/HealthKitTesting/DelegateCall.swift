import Engine
public import Foundation
public import HealthKit
import SessionLog
import Synchronization

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
    /// A value came to lie in another zone of its type: the zone's index, from 0 on.
    case didUpdateZone(of: HKQuantityType, to: Int)
}

/// The calls of a world's delegates, in order.
final class DelegateCalls: Sendable {
    private let calls = Mutex<[DelegateCall]>([])

    var all: [DelegateCall] { calls.withLock { $0 } }

    func add(_ call: DelegateCall?) { if let call { calls.withLock { $0.append(call) } } }
}

extension DelegateCall {
    /// Nil for an event that HealthKit does not have: the delegate is not called.
    init?(_ notice: SessionNotice) {
        func code(_ error: any Error) -> HKError.Code { HKError.wrapping(error).code }
        switch notice {
        case .changed(let next, let previous, _):
            self = .didChange(to: HKWorkoutSessionState(next), from: HKWorkoutSessionState(previous))
        case .generated(let record):
            guard let event = try? HKWorkoutEvent(record) else { return nil }
            self = .didGenerate(event.type)
        case .began(let activity, _): self = .didBeginActivity(HKWorkoutConfiguration(of: activity).activityType)
        case .ended(let activity, _): self = .didEndActivity(HKWorkoutConfiguration(of: activity).activityType)
        case .failed(let error): self = .didFail(code(error))
        case .received(let data): self = .didReceiveData(data)
        case .disconnected(let error): self = .didDisconnect(error.map(code))
        }
    }

    /// Nil for zones of a type that HealthKit does not have.
    init?(_ notice: BuilderNotice) {
        func type(_ activity: SessionState.ActivityState) -> HKWorkoutActivityType {
            HKWorkoutActivity(activity).workoutConfiguration.activityType
        }
        switch notice {
        case .collected(let types): self = .didCollectData(of: Set(types.compactMap(\.sampleType)))
        case .collectedEvent: self = .didCollectEvent
        case .began(let activity): self = .builderDidBegin(type(activity))
        case .ended(let activity): self = .builderDidEnd(type(activity))
        case .zoneChanged(let change):
            guard let type = TypeCatalogue.quantityType(named: change.zones.record.type) else { return nil }
            self = .didUpdateZone(of: type, to: change.current)
        }
    }
}
