package import Engine
import SessionLog
import Synchronization

/// The builder of a running session: collects the types of its data source as the sensors deliver them.
///
/// Apps get it from ``HKWorkoutSession/associatedWorkoutBuilder()``.
// Sendable holds: all stored properties are immutable, or behind a lock.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
    private let delegateBox = Mutex(DelegateBox<any HKLiveWorkoutBuilderDelegate>())
    private let settings = Mutex(Settings())
    private let witness: (@Sendable (BuilderNotice) -> Void)?

    private struct Settings {
        weak var session: HKWorkoutSession?
        var dataSource: HKLiveWorkoutDataSource?
        var collectsEvents = true
    }

    /// Creates a builder without a session, as a test double. It measures nothing, and calls its delegate for samples
    /// that the app adds.
    public override init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {
        witness = healthStore.environment.builderNotified
        super.init(healthStore: healthStore, configuration: configuration, device: device)
        recorder.enqueue { [weak self] in $0.builder = self }
    }

    /// Creates a builder of this module.
    @_spi(Sessions) public override init(_ parts: Parts) {
        witness = parts.store.environment.builderNotified
        super.init(parts)
    }

    package convenience init(healthStore: HKHealthStore, recorder: WorkoutRecorder) {
        self.init(Parts(store: healthStore, recorder: recorder, device: nil))
    }

    deinit {
        recorder.abandon()
    }

    /// Called on the session's queue when samples and events are collected. Held weakly.
    open var delegate: (any HKLiveWorkoutBuilderDelegate)? {
        get { delegateBox.withLock { $0.delegate } }
        set { delegateBox.withLock { $0.delegate = newValue } }
    }

    /// The builder's session. Nil once the session is deallocated.
    open var workoutSession: HKWorkoutSession? { settings.withLock { $0.session } }

    func belongs(to session: HKWorkoutSession) { settings.withLock { $0.session = session } }

    /// Whether the session's events become the workout's. Has no effect once collection has begun.
    open var shouldCollectWorkoutEvents: Bool {
        get { settings.withLock { $0.collectsEvents } }
        set {
            settings.withLock { $0.collectsEvents = newValue }
            recorder.enqueue { $0.collectsEvents = newValue }
        }
    }

    /// The types to collect from sensors. Without a data source, nothing is collected.
    open var dataSource: HKLiveWorkoutDataSource? {
        get { settings.withLock { $0.dataSource } }
        set {
            settings.withLock { $0.dataSource = newValue }
            recorder.enqueue {
                $0.dataSource = newValue
                // A recovered session collects already, and waits for this.
                $0.startSensors()
            }
        }
    }

    /// Seconds since the start, excluding pauses.
    open var elapsedTime: TimeInterval { recorder.activeSeconds() }

    /// The current activity. Nil between activities.
    open var currentWorkoutActivity: HKWorkoutActivity? {
        recorder.currentActivity
    }
}

// MARK: - From the recorder, on its queue

extension HKLiveWorkoutBuilder: SessionObserver {
    package var hasDelegate: Bool { delegate != nil }

    /// Calls the delegate. No other code does.
    package func notify(_ notice: BuilderNotice) {
        recorder.notify { [self] in
            guard let delegate else { return }
            witness?(notice)
            switch notice {
            case .collected(let types):
                delegate.workoutBuilder(self, didCollectDataOf: Set(types.compactMap(\.sampleType)))
            case .collectedEvent: delegate.workoutBuilderDidCollectEvent(self)
            case .began(let activity): delegate.workoutBuilder(self, didBegin: HKWorkoutActivity(activity))
            case .ended(let activity): delegate.workoutBuilder(self, didEnd: HKWorkoutActivity(activity))
            case .zoneChanged(let change):
                delegate.workoutBuilder(self, didUpdateWorkoutZone: HKLiveWorkoutZoneUpdate(change))
            }
        }
    }
}

extension CollectedType {
    /// The type in Apple's catalogue. Nil for one that HealthKit does not have.
    package var sampleType: HKSampleType? {
        switch self {
        case .quantity(let name): TypeCatalogue.quantityType(named: name)
        case .category(let name): TypeCatalogue.categoryType(named: name)
        case .object(let identifier): TypeCatalogue.objectType(identifier: identifier) as? HKSampleType
        }
    }
}

/// Is notified of data that a live workout builder collects. Called on the same serial background queue as the
/// session's delegate.
public protocol HKLiveWorkoutBuilderDelegate: NSObjectProtocol {
    /// Called when samples of these types were collected, from sensors or the app: read their statistics again.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)

    /// Called when an event was collected. Elapsed time may have changed, even backwards.
    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)

    /// Called when an activity of the workout began.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)

    /// Called when an activity of the workout ended.
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity)

    /// Called when a heart rate or a power is in another zone than the one before it, after the call for its samples.
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate)
}

// Optional in Apple's protocol.
extension HKLiveWorkoutBuilderDelegate {
    /// Does nothing: optional, as in Apple's protocol.
    public func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity) {}

    /// Does nothing: optional, as in Apple's protocol.
    public func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity) {}

    /// Does nothing: optional, as in Apple's protocol.
    public func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
    ) {}
}
