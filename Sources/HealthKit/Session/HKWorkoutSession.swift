import Recordings
import Synchronization

/// A workout as it happens: while it runs, sensors deliver, and its builder collects what they do.
///
/// Calls return at once; ``state`` changes and the delegate hears of it a moment later, on a serial background queue. A
/// call that the session's state does not allow changes nothing (see `SessionPhase.canChange(to:)`).
///
/// A session that is fed from a replay lives on the recording's time line: see <doc:Replay>.
///
/// A subclass may override every member, as a stand-in for a session in an app's tests does; the others do what they always do.
// Sendable holds: all stored properties are immutable, or behind a lock.
open class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
    private let parts: Parts
    private let delegateBox = Mutex(DelegateBox<any HKWorkoutSessionDelegate>())

    // Public to the compiler and to no app: a class that hides an initialiser passes none on to its subclasses.
    /// What a session is made of.
    @_spi(Sessions) public struct Parts {
        let store: HKHealthStore
        let recorder: WorkoutRecorder
        let configuration: ActivityDescription
        let builder: HKLiveWorkoutBuilder
        let witness: (any HKWorkoutSessionDelegate)?

        init(_ store: HKHealthStore, _ recorder: WorkoutRecorder) {
            self.store = store
            self.recorder = recorder
            configuration = recorder.configuration
            builder = HKLiveWorkoutBuilder(healthStore: store, recorder: recorder)
            witness = store.environment.witness as? any HKWorkoutSessionDelegate
        }
    }

    package var recorder: WorkoutRecorder { parts.recorder }
    var store: HKHealthStore { parts.store }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a configuration that makes no sense, or for sensors that the
    ///   environment names and that are not to be had (a recording that cannot be read, for example).
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration) throws {
        parts = Parts(
            healthStore, try Self.makeRecorder(configuration.activityDescription, healthStore.environment))
        super.init()
        connect()
    }

    /// For the sessions that this module makes itself.
    @_spi(Sessions) public init(_ parts: Parts) {
        self.parts = parts
        super.init()
        connect()
    }

    package convenience init(healthStore: HKHealthStore, recorder: WorkoutRecorder) {
        self.init(Parts(healthStore, recorder))
    }

    private func connect() {
        let builder = parts.builder
        builder.belongs(to: self)
        let active = store.environment.activeSession
        recorder.enqueue { [weak self, weak builder, store] recorder in
            recorder.session = self
            recorder.builder = builder
            recorder.active = active
            recorder.watchJournal()
            recorder.keepSamples { store.liveSamples(of: recorder.id, $0) }
            recorder.startSensorsAlone(isRecovered: true)
        }
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
            self.init(Parts(healthStore, try Self.makeRecorder(activity, environment)))
        } catch {
            let fault = HKError.wrapping(error)
            self.init(Parts(healthStore, WorkoutRecorder(configuration: activity, time: environment.time)))
            recorder.enqueue { $0.startFault = fault }
        }
    }

    deinit {
        recorder.abandon()
    }

    /// A copy of the configuration.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(of: parts.configuration) }

    /// Hears of changes, on the session's serial background queue. Held weakly; data of the other side of a mirrored session waits until
    /// there is one.
    open var delegate: (any HKWorkoutSessionDelegate)? {
        get { delegateBox.withLock { $0.delegate } }
        set {
            delegateBox.withLock { $0.delegate = newValue }
            if newValue != nil { recorder.enqueue { $0.handOverHeldData() } }
        }
    }

    /// Where the session stands, as of the last entry of its log.
    open var state: HKWorkoutSessionState { HKWorkoutSessionState(recorder.read { $0.phase }) }
    /// Where the session runs: here, or on another machine that mirrors it to this one (<doc:Mirroring>).
    open var type: HKWorkoutSessionType { recorder.isMirrored ? .mirrored : .primary }
    /// When the session began to run, on its own time line.
    open var startDate: Date? { recorder.read { $0.startDate } }
    /// When it was stopped, or ended without a stop.
    open var endDate: Date? { recorder.read { $0.endDate } }

    /// The kind of sport, as ``workoutConfiguration`` has it.
    @available(watchOS, deprecated: 3.0, message: "Use workoutConfiguration")
    open var activityType: HKWorkoutActivityType { workoutConfiguration.activityType }
    /// Indoors or outdoors, as ``workoutConfiguration`` has it.
    @available(watchOS, deprecated: 3.0, message: "Use workoutConfiguration")
    open var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

    /// A copy of the activity that is under way; between activities, and in a workout without any, the whole.
    open var currentActivity: HKWorkoutActivity {
        if let current = recorder.currentActivity { return current }
        let (start, end) = recorder.read { ($0.startDate, $0.endDate) }
        return HKWorkoutActivity(
            workoutConfiguration: workoutConfiguration, start: start ?? recorder.now, end: end, metadata: nil)
    }

    // MARK: Calls

    /// Makes sensors ready; nothing is collected yet. For a countdown.
    open func prepare() { recorder.enqueue { $0.prepare() } }

    /// Begins the activity at `date`, or now.
    open func startActivity(with date: Date?) { recorder.enqueue { $0.start(at: date) } }

    /// Stops the clock; a running session only.
    open func pause() { recorder.enqueue { $0.pause() } }

    /// Lets the clock run on; a paused session only.
    open func resume() { recorder.enqueue { $0.resume() } }

    /// Ends the activity at `date`, or now, for good. The builder can still be finished.
    open func stopActivity(with date: Date?) { recorder.enqueue { $0.stop(at: date) } }

    /// Ends the session.
    open func end() { recorder.enqueue { $0.end() } }

    /// The builder that collects this session's data; always the same.
    ///
    /// The sensors of a session measure for it. If the app never asks for it, they measure all the same, and what they measure is in
    /// the store, as part of no workout.
    open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
        recorder.isBuilderAskedFor.store(true, ordering: .relaxed)
        return parts.builder
    }

    /// Ends the activity that is under way and begins another.
    ///
    /// A swim-bike-run workout takes swimming, cycling, running and transitions; every other takes its own type
    /// (intervals). Anything else is reported to the delegate as ``HKError/Code/errorWorkoutActivityNotAllowed``.
    open func beginNewActivity(
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
    open func endCurrentActivity(on date: Date) { recorder.enqueue { $0.endActivity(at: date) } }

    // MARK: Mirroring to another machine; see <doc:Mirroring>

    /// Mirrors this session to the companions: the machines of `HEALTHKIT_MIRROR`, or else those that are paired.
    ///
    /// Returns once one of them is there. When none is after ten seconds, throws why; attempts go on all the same until
    /// ``stopMirroringToCompanionDevice()`` or the end, and whoever comes later gets everything from the first entry on. A
    /// session that is mirrored already stays so. Ends with the session, after everything was delivered; earlier only if every
    /// companion declines or closes it, or is forgotten, which the delegate hears. It may then be started again.
    ///
    /// Cancelling the task ends the waiting, not the mirroring.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a session that has ended or is itself a mirrored one, and for
    ///   companions that are no addresses; ``HKError/Code/errorHealthDataUnavailable`` where no companion is known or there;
    ///   `CancellationError`.
    open func startMirroringToCompanionDevice() async throws {
        let environment = store.environment
        let companions = environment.companions
        let mirror = try await onQueue { try $0.startMirroring(to: companions) }
        if let folder = environment.journalFolder {
            _ = await UndeliveredSessions.deliver(
                in: folder, to: companions, time: environment.time, isSearching: false)
        }
        try await mirror.waitForCompanion(within: Self.companionLimitInSeconds)
    }

    /// As ``startMirroringToCompanionDevice()``. `completion` is called on a background queue.
    @preconcurrency open func startMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(completion) { try await self.startMirroringToCompanionDevice() }
    }

    /// Ends the mirroring in order: companions get what is on its way, and hear that it is over, without an error. The
    /// session itself goes on, and may be mirrored again.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a session that is not mirrored.
    open func stopMirroringToCompanionDevice() async throws {
        let mirror = try await onQueue { try $0.stopMirroring() }
        _ = await mirror.deliver(within: .seconds(5))?.value
    }

    /// As ``stopMirroringToCompanionDevice()``. `completion` is called on a background queue.
    @preconcurrency open func stopMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(completion) { try await self.stopMirroringToCompanionDevice() }
    }

    /// Sends data to the app on the other side, which gets it once and in order, several pieces at once if it is slow.
    ///
    /// Returns when the data is on its way. While the other side is out of reach, data waits for it, which Apple's does
    /// not. A machine that joins later does not get what was sent before.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` before the session was prepared or started, after its end, and while it
    ///   is not mirrored; ``HKError/Code/errorDataSizeExceeded`` beyond 100 KB in ten seconds.
    open func sendToRemoteWorkoutSession(data: Data) async throws {
        try await onQueue { try $0.send(data) }
    }

    /// As ``sendToRemoteWorkoutSession(data:)``. `completion` is called on a background queue.
    @preconcurrency open func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Not through a task: two calls after each other are sent in this order.
        recorder.enqueue { recorder in
            let result = Result { try recorder.send(data) }
            DispatchQueue.global().asyncInEnvironment {
                switch result {
                case .success: completion(true, nil)
                case .failure(let error): completion(false, HKError.wrapping(error))
                }
            }
        }
    }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    open class var supportsSecureCoding: Bool { true }

    /// Keeps the configuration. What has been collected is recovered from its log, through
    /// `HKHealthStore.recoverActiveWorkoutSession`.
    open func encode(with coder: NSCoder) {
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

extension HKWorkoutSession: SessionObserver {
    var hasDelegate: Bool { delegate != nil }

    /// The one place where the delegate is called.
    private func notify(_ call: @escaping @Sendable (any HKWorkoutSessionDelegate) -> Void) {
        recorder.notify { [self] in
            guard let delegate else { return }
            parts.witness.map(call)
            call(delegate)
        }
    }

    func changed(to next: SessionPhase, from previous: SessionPhase, at date: Date) {
        notify { [self] in
            $0.workoutSession(
                self, didChangeTo: HKWorkoutSessionState(next), from: HKWorkoutSessionState(previous), date: date)
        }
    }

    func generated(_ record: EventRecord) {
        guard let event = try? HKWorkoutEvent(record) else { return }
        notify { [self] in $0.workoutSession(self, didGenerate: event) }
    }

    func began(_ activity: ActivityDescription, at date: Date) {
        notify { [self] in
            $0.workoutSession(self, didBeginActivityWith: HKWorkoutConfiguration(of: activity), date: date)
        }
    }

    func ended(_ activity: ActivityDescription, at date: Date) {
        notify { [self] in
            $0.workoutSession(self, didEndActivityWith: HKWorkoutConfiguration(of: activity), date: date)
        }
    }

    func fail(_ error: HKError) { notify { [self] in $0.workoutSession(self, didFailWithError: error) } }

    func received(_ data: [Data]) {
        notify { [self] in $0.workoutSession(self, didReceiveDataFromRemoteWorkoutSession: data) }
    }

    func disconnected(_ error: HKError?) {
        notify { [self] in $0.workoutSession(self, didDisconnectFromRemoteDeviceWithError: error) }
    }
}
