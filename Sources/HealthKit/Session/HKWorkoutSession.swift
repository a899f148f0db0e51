package import Engine
import SessionLog
import Synchronization

/// A running workout. While it runs, sensors deliver readings, and its builder collects them.
///
/// Calls return at once. A moment later ``state`` changes and the delegate is called, on a serial background queue. A call that
/// the state does not allow changes nothing (see `SessionPhase.canChange(to:)`).
///
/// A session that replays a recording uses the recording's clock: see <doc:Replay>.
///
/// A subclass may override every member, as stand-ins in an app's tests do.
// Sendable holds: all stored properties are immutable, or behind a lock.
open class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
    private let parts: Parts
    private let delegateBox = Mutex(DelegateBox<any HKWorkoutSessionDelegate>())

    // Public for the compiler, but not available to apps: if a class hides an initialiser, its subclasses inherit none.
    /// The parts of a session.
    @_spi(Sessions) public struct Parts {
        let store: HKHealthStore
        let recorder: WorkoutRecorder
        let configuration: ActivityDescription
        let builder: HKLiveWorkoutBuilder
        let witness: (@Sendable (SessionNotice) -> Void)?

        init(_ store: HKHealthStore, _ recorder: WorkoutRecorder) {
            self.store = store
            self.recorder = recorder
            configuration = recorder.configuration
            builder = HKLiveWorkoutBuilder(healthStore: store, recorder: recorder)
            witness = store.environment.sessionNotified
        }
    }

    package var recorder: WorkoutRecorder { parts.recorder }
    var store: HKHealthStore { parts.store }

    /// Creates a session.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an invalid configuration, or if a configured sensor can't be
    ///   used (an unreadable recording, for example).
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration) throws {
        parts = Parts(
            healthStore, try Self.makeRecorder(configuration.activityDescription, healthStore.environment))
        super.init()
        connect()
    }

    /// Creates a session of this module.
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
        // Created last, so that an earlier error leaves no journal behind.
        let journal = try environment.makeJournal(for: id)
        let recorder = environment.asCurrent {
            WorkoutRecorder(
                id: id, configuration: activity, sensors: sensors, wearer: environment.wearer(of: sensors),
                journal: journal, time: environment.time)
        }
        environment.workoutMade?(recorder)
        environment.publish(recorder)
        return recorder
    }

    /// Creates a session with a separate store.
    @available(watchOS, deprecated: 5.0, message: "Use init(healthStore:configuration:)")
    public convenience init(configuration: HKWorkoutConfiguration) throws {
        try self.init(healthStore: HKHealthStore(), configuration: configuration)
    }

    /// Creates a session with a separate store, for ``HKHealthStore/start(_:)``. Errors that the other initialisers
    /// throw reach the delegate when the session should start, and it doesn't start.
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
            self.init(Parts(healthStore, WorkoutRecorder(configuration: activity, time: environment.time)))
            recorder.enqueue { $0.startFault = error }
        }
    }

    deinit {
        recorder.abandon()
    }

    /// A copy of the configuration.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(of: parts.configuration) }

    /// Called on the session's serial background queue. Held weakly. Data from the other side of a mirrored session waits until a
    /// delegate is set.
    open var delegate: (any HKWorkoutSessionDelegate)? {
        get { delegateBox.withLock { $0.delegate } }
        set {
            delegateBox.withLock { $0.delegate = newValue }
            if newValue != nil { recorder.enqueue { $0.handOverHeldData() } }
        }
    }

    /// The state as of the last entry of the session's log.
    open var state: HKWorkoutSessionState { HKWorkoutSessionState(recorder.read { $0.phase }) }
    /// Whether the session runs here, or on another machine that mirrors it to this one (<doc:Mirroring>).
    open var type: HKWorkoutSessionType { recorder.isMirrored ? .mirrored : .primary }
    /// When the session started, by its own clock.
    open var startDate: Date? { recorder.read { $0.startDate } }
    /// When it was stopped, or ended without a stop.
    open var endDate: Date? { recorder.read { $0.endDate } }

    /// The activity type of ``workoutConfiguration``.
    @available(watchOS, deprecated: 3.0, message: "Use workoutConfiguration")
    open var activityType: HKWorkoutActivityType { workoutConfiguration.activityType }
    /// The location type of ``workoutConfiguration``.
    @available(watchOS, deprecated: 3.0, message: "Use workoutConfiguration")
    open var locationType: HKWorkoutSessionLocationType { workoutConfiguration.locationType }

    /// A copy of the current activity. Between activities, or without any, the whole workout.
    open var currentActivity: HKWorkoutActivity {
        if let current = recorder.currentActivity { return current }
        let (start, end) = recorder.read { ($0.startDate, $0.endDate) }
        return HKWorkoutActivity(
            workoutConfiguration: workoutConfiguration, start: start ?? recorder.now, end: end, metadata: nil)
    }

    // MARK: Calls

    /// Connects the sensors without collecting anything, for a countdown.
    open func prepare() { recorder.enqueue { $0.prepare() } }

    /// Starts the activity at `date`, or now.
    open func startActivity(with date: Date?) { recorder.enqueue { $0.start(at: date) } }

    /// Pauses a running session.
    open func pause() { recorder.enqueue { $0.pause() } }

    /// Resumes a paused session.
    open func resume() { recorder.enqueue { $0.resume() } }

    /// Stops the session at `date`, or now. It can't be resumed. The builder can still be finished.
    open func stopActivity(with date: Date?) { recorder.enqueue { $0.stop(at: date) } }

    /// Ends the session.
    open func end() { recorder.enqueue { $0.end() } }

    /// Returns the builder that collects this session's data. Every call returns the same one.
    ///
    /// If the app never calls this method, the sensors still measure, and their samples are stored without a workout.
    open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
        recorder.isBuilderAskedFor.store(true, ordering: .relaxed)
        return parts.builder
    }

    /// Ends the current activity and begins another.
    ///
    /// A swim-bike-run workout may contain swimming, cycling, running and transitions. Every other workout may only
    /// contain its own type (intervals). For anything else the delegate gets
    /// ``HKError/Code/errorWorkoutActivityNotAllowed``.
    open func beginNewActivity(
        configuration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        do {
            let description = configuration.activityDescription
            let values = try MetadataCoding.neutral(metadata)
            recorder.enqueue { $0.beginActivity(description, at: date, metadata: values) }
        } catch {
            recorder.enqueue { $0.session?.notify(.failed(error)) }
        }
    }

    /// Ends the current activity. The workout continues.
    open func endCurrentActivity(on date: Date) { recorder.enqueue { $0.endActivity(at: date) } }

    // MARK: Mirroring to another machine; see <doc:Mirroring>

    /// Mirrors this session to the companions: the machines of `HEALTHKIT_MIRROR`, otherwise the paired machines.
    ///
    /// Returns once a companion is connected. After ten seconds without one it throws the reason, but attempts continue
    /// until ``stopMirroringToCompanionDevice()`` or the end of the session, and a companion that joins later gets all
    /// entries. Calling it for a mirrored session has no effect. Mirroring ends with the session, once everything was
    /// delivered. It ends earlier if every companion declines or closes it or is unpaired: then the delegate is called,
    /// and mirroring can be started again.
    ///
    /// Cancelling the task ends the waiting, not the mirroring.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the session has ended or is itself mirrored, and for invalid
    ///   addresses of companions; ``HKError/Code/errorHealthDataUnavailable`` if no companion is configured or
    ///   reachable; `CancellationError`.
    open func startMirroringToCompanionDevice() async throws {
        let environment = store.environment
        let companions = environment.companions
        let mirror = try await onQueue { try $0.startMirroring(to: companions) }
        if let folder = environment.journalFolder {
            _ = await UndeliveredSessions.deliver(
                in: folder, to: companions, time: environment.time, isSearching: false)
        }
        do {
            try await mirror.waitForCompanion(within: Self.companionLimitInSeconds)
        } catch let error as SessionError {
            throw HKError.wrapping(error)
        }
    }

    /// Like ``startMirroringToCompanionDevice()``. `completion` is called on a background queue.
    @preconcurrency open func startMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(completion) { try await self.startMirroringToCompanionDevice() }
    }

    /// Ends the mirroring: companions get all entries so far, and their delegates are called without an error. The session continues,
    /// and can be mirrored again.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a session that is not mirrored.
    open func stopMirroringToCompanionDevice() async throws {
        let mirror = try await onQueue { try $0.stopMirroring() }
        _ = await mirror.deliver(within: .seconds(5))?.value
    }

    /// Like ``stopMirroringToCompanionDevice()``. `completion` is called on a background queue.
    @preconcurrency open func stopMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        call(completion) { try await self.stopMirroringToCompanionDevice() }
    }

    /// Sends data to the app on the other side, which gets it once and in order. A slow app gets several pieces at
    /// once.
    ///
    /// Returns when the data is in the log or sent. Unlike on Apple's systems, data waits while the other side is out
    /// of reach. A machine that joins later does not get earlier data.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the session was not prepared or started, has ended or is not
    ///   mirrored; ``HKError/Code/errorDataSizeExceeded`` for more than 100 KB in ten seconds.
    open func sendToRemoteWorkoutSession(data: Data) async throws {
        try await onQueue { try $0.send(data) }
    }

    /// Like ``sendToRemoteWorkoutSession(data:)``. `completion` is called on a background queue.
    @preconcurrency open func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Not through a task, so that two consecutive calls are sent in this order.
        recorder.enqueue { recorder in
            let result = Result { try recorder.send(data) }
            DispatchQueue.global().asyncInEnvironment { respond(to: completion) { try result.get() } }
        }
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes the configuration only. `HKHealthStore.recoverActiveWorkoutSession` recovers collected readings from the log.
    open func encode(with coder: NSCoder) {
        coder.encode(workoutConfiguration, forKey: "configuration")
    }

    /// Creates a new session with the archived configuration and a separate store. Returns nil if it can't be created.
    public required convenience init?(coder: NSCoder) {
        guard let configuration = coder.decodeObject(of: HKWorkoutConfiguration.self, forKey: "configuration")
        else { return nil }
        try? self.init(healthStore: HKHealthStore(), configuration: configuration)
    }
}

// MARK: - From the recorder, on its queue

extension HKWorkoutSession: SessionObserver {
    package var hasDelegate: Bool { delegate != nil }

    /// Calls the delegate. No other code does.
    package func notify(_ notice: SessionNotice) {
        recorder.notify { [self] in
            guard let delegate else { return }
            parts.witness?(notice)
            switch notice {
            case .changed(let next, let previous, let date):
                delegate.workoutSession(
                    self, didChangeTo: HKWorkoutSessionState(next), from: HKWorkoutSessionState(previous), date: date)
            case .generated(let record):
                guard let event = try? HKWorkoutEvent(record) else { return }
                delegate.workoutSession(self, didGenerate: event)
            case .began(let activity, let date):
                delegate.workoutSession(
                    self, didBeginActivityWith: HKWorkoutConfiguration(of: activity), date: date)
            case .ended(let activity, let date):
                delegate.workoutSession(self, didEndActivityWith: HKWorkoutConfiguration(of: activity), date: date)
            case .failed(let error): delegate.workoutSession(self, didFailWithError: HKError.wrapping(error))
            case .received(let data): delegate.workoutSession(self, didReceiveDataFromRemoteWorkoutSession: data)
            case .disconnected(let error):
                delegate.workoutSession(
                    self, didDisconnectFromRemoteDeviceWithError: error.map(HKError.wrapping))
            }
        }
    }
}

extension HKWorkoutSession {
    /// Why a crash would lose data of this session. Nil while its journal has everything.
    package var journalFault: HKError? { recorder.journalFault.withLock { $0 }.map(HKError.wrapping) }
}
