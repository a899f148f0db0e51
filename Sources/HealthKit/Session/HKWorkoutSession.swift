import Recordings
import Synchronization

/// A workout as it happens: while it runs, sensors deliver, and its builder collects what they do.
///
/// Calls return at once; ``state`` changes and the delegate hears of it a moment later, on a serial background queue. A
/// call that the session's state does not allow changes nothing (see `SessionPhase.canChange(to:)`).
///
/// A session that is fed from a replay lives on the recording's time line: see <doc:Replay>.
// Sendable holds: all stored properties are immutable, or behind a lock.
public class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
    package let recorder: WorkoutRecorder
    private let healthStore: HKHealthStore
    var store: HKHealthStore { healthStore }
    private let configuration: ActivityDescription
    private let delegateBox = Mutex(DelegateBox<any HKWorkoutSessionDelegate>())
    private let builder: HKLiveWorkoutBuilder
    private let witness: (any HKWorkoutSessionDelegate)?

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a configuration that makes no sense, or for sensors that the
    ///   environment names and that are not to be had (a recording that cannot be read, for example).
    public convenience init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration) throws {
        self.init(
            healthStore: healthStore,
            recorder: try Self.makeRecorder(configuration.activityDescription, healthStore.environment))
    }

    private static func makeRecorder(
        _ activity: ActivityDescription, _ environment: HealthEnvironment
    ) throws -> WorkoutRecorder {
        let id = UUID()
        let sensors = try environment.sensorsOfSession(activity)
        // Not before all else is there: what fails leaves no journal behind.
        let journal = try environment.makeJournal(for: id)
        let recorder = environment.asCurrent {
            WorkoutRecorder(
                id: id, configuration: activity, sensors: sensors, wearer: environment.wearer(of: sensors),
                journal: journal, time: environment.time)
        }
        environment.workoutMade?(recorder)
        return recorder
    }

    /// A session with a store of its own.
    @available(watchOS, deprecated: 5.0, message: "Use init(healthStore:configuration:)")
    public convenience init(configuration: HKWorkoutConfiguration) throws {
        try self.init(healthStore: HKHealthStore(), configuration: configuration)
    }

    /// A session with a store of its own, begun with ``HKHealthStore/start(_:)``. What the other initialisers throw is
    /// reported to the delegate when the session is to begin, and it does not.
    @available(watchOS, deprecated: 5.0, message: "Use init(healthStore:configuration:)")
    public convenience init(activityType: HKWorkoutActivityType, locationType: HKWorkoutSessionLocationType) {
        self.init(healthStore: HKHealthStore(), activityType: activityType, locationType: locationType)
    }

    package convenience init(
        healthStore: HKHealthStore, activityType: HKWorkoutActivityType, locationType: HKWorkoutSessionLocationType
    ) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activityType
        configuration.locationType = locationType
        let activity = configuration.activityDescription
        let environment = healthStore.environment
        do {
            self.init(healthStore: healthStore, recorder: try Self.makeRecorder(activity, environment))
        } catch {
            let fault = HKError.wrapping(error)
            self.init(
                healthStore: healthStore, recorder: WorkoutRecorder(configuration: activity, time: environment.time))
            recorder.enqueue { $0.startFault = fault }
        }
    }

    package init(healthStore: HKHealthStore, recorder: WorkoutRecorder) {
        self.healthStore = healthStore
        self.recorder = recorder
        configuration = recorder.configuration
        builder = HKLiveWorkoutBuilder(healthStore: healthStore, recorder: recorder)
        witness = healthStore.environment.witness as? any HKWorkoutSessionDelegate
        super.init()
        builder.workoutSession = self
        let active = healthStore.environment.activeSession
        recorder.enqueue { [weak self, weak builder] recorder in
            recorder.session = self
            recorder.builder = builder
            recorder.active = active
            recorder.watchJournal()
        }
    }

    deinit {
        recorder.abandon()
    }

    /// A copy of the configuration.
    public var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(of: configuration) }

    /// Hears of changes, on the session's serial background queue. Held weakly; data of the other side of a mirrored session waits until
    /// there is one.
    public var delegate: (any HKWorkoutSessionDelegate)? {
        get { delegateBox.withLock { $0.delegate } }
        set {
            delegateBox.withLock { $0.delegate = newValue }
            if newValue != nil { recorder.enqueue { $0.handOverHeldData() } }
        }
    }

    /// Where the session stands, as of the last entry of its log.
    public var state: HKWorkoutSessionState { HKWorkoutSessionState(recorder.read { $0.phase }) }
    /// Where the session runs: here, or on another machine that mirrors it to this one (<doc:Mirroring>).
    public var type: HKWorkoutSessionType { recorder.isMirrored ? .mirrored : .primary }
    /// When the session began to run, on its own time line.
    public var startDate: Date? { recorder.read { $0.startDate } }
    /// When it was stopped, or ended without a stop.
    public var endDate: Date? { recorder.read { $0.endDate } }

    /// The kind of sport, as ``workoutConfiguration`` has it.
    @available(watchOS, deprecated: 3.0, message: "Use workoutConfiguration")
    public var activityType: HKWorkoutActivityType { workoutConfiguration.activityType }
    /// Indoors or outdoors, as ``workoutConfiguration`` has it.
    @available(watchOS, deprecated: 3.0, message: "Use workoutConfiguration")
    public var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

    /// A copy of the activity that is under way; between activities, and in a workout without any, the whole.
    public var currentActivity: HKWorkoutActivity {
        if let current = recorder.currentActivity { return current }
        let (start, end) = recorder.read { ($0.startDate, $0.endDate) }
        return HKWorkoutActivity(
            workoutConfiguration: workoutConfiguration, start: start ?? recorder.now, end: end, metadata: nil)
    }

    // MARK: Calls

    /// Makes sensors ready; nothing is collected yet. For a countdown.
    public func prepare() { recorder.enqueue { $0.prepare() } }

    /// Begins the activity at `date`, or now.
    public func startActivity(with date: Date?) { recorder.enqueue { $0.start(at: date) } }

    /// Stops the clock; a running session only.
    public func pause() { recorder.enqueue { $0.pause() } }

    /// Lets the clock run on; a paused session only.
    public func resume() { recorder.enqueue { $0.resume() } }

    /// Ends the activity at `date`, or now, for good. The builder can still be finished.
    public func stopActivity(with date: Date?) { recorder.enqueue { $0.stop(at: date) } }

    /// Ends the session.
    public func end() { recorder.enqueue { $0.end() } }

    /// The builder that collects this session's data; always the same.
    public func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder { builder }

    /// Ends the activity that is under way and begins another.
    ///
    /// A swim-bike-run workout takes swimming, cycling, running and transitions; every other takes its own type
    /// (intervals). Anything else is reported to the delegate as ``HKError/Code/errorWorkoutActivityNotAllowed``.
    public func beginNewActivity(
        configuration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        do {
            let description = configuration.activityDescription
            let values = try MetadataCoding.neutral(metadata)
            recorder.enqueue { $0.beginActivity(description, at: date, metadata: values) }
        } catch {
            recorder.enqueue { $0.session?.fail(HKError.wrapping(error)) }
        }
    }

    /// Ends the activity that is under way; the workout itself goes on.
    public func endCurrentActivity(on date: Date) { recorder.enqueue { $0.endActivity(at: date) } }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Keeps the configuration. What has been collected is recovered from its log, through
    /// `HKHealthStore.recoverActiveWorkoutSession`.
    public func encode(with coder: NSCoder) {
        coder.encode(workoutConfiguration, forKey: "configuration")
    }

    /// A new session of the archived configuration, with a store of its own; nil where it cannot be made.
    public required convenience init?(coder: NSCoder) {
        guard let configuration = coder.decodeObject(of: HKWorkoutConfiguration.self, forKey: "configuration")
        else { return nil }
        try? self.init(healthStore: HKHealthStore(), configuration: configuration)
    }
}

// MARK: - From the recorder, on its queue

extension HKWorkoutSession: SessionTelling {
    var hasDelegate: Bool { delegate != nil }

    /// The one place where the delegate is called.
    private func tell(_ call: @escaping @Sendable (any HKWorkoutSessionDelegate) -> Void) {
        recorder.tell { [self] in
            guard let delegate else { return }
            witness.map(call)
            call(delegate)
        }
    }

    func changed(to next: SessionPhase, from previous: SessionPhase, at date: Date) {
        tell { [self] in
            $0.workoutSession(
                self, didChangeTo: HKWorkoutSessionState(next), from: HKWorkoutSessionState(previous), date: date)
        }
    }

    func generated(_ record: EventRecord) {
        guard let event = try? HKWorkoutEvent(record) else { return }
        tell { [self] in $0.workoutSession(self, didGenerate: event) }
    }

    func began(_ activity: ActivityDescription, at date: Date) {
        tell { [self] in
            $0.workoutSession(self, didBeginActivityWith: HKWorkoutConfiguration(of: activity), date: date)
        }
    }

    func ended(_ activity: ActivityDescription, at date: Date) {
        tell { [self] in
            $0.workoutSession(self, didEndActivityWith: HKWorkoutConfiguration(of: activity), date: date)
        }
    }

    func fail(_ error: HKError) { tell { [self] in $0.workoutSession(self, didFailWithError: error) } }

    func received(_ data: [Data]) {
        tell { [self] in $0.workoutSession(self, didReceiveDataFromRemoteWorkoutSession: data) }
    }

    func disconnected(_ error: HKError?) {
        tell { [self] in $0.workoutSession(self, didDisconnectFromRemoteDeviceWithError: error) }
    }
}
