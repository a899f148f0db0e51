package import Foundation
package import SessionLog
package import Synchronization

/// The owner of a session: appends to its log, computes its state, and calls back.
///
/// Everything that changes a session happens here, on one serial queue, in the order of the calls. The delegates of the
/// session and the builder are notified on the same queue, so an app sees changes in the log's order. Values that an app
/// may read at any time (state, statistics, elapsed time) are published behind a lock.
///
///     sensor ── batch ──▶ collect ─▶ append to the log ─▶ fold ─▶ observers      (one hop: onto the queue)
///     app ───── call ───▶ ┘                │
///                                          └─▶ sinks: screen, file, mirror        (none awaited)
package actor WorkoutRecorder {
    /// Identifies the workout from its first entry on.
    package nonisolated let id: UUID
    package nonisolated let configuration: ActivityDescription
    /// The session's: `now()` is the session's time, independent of the wall clock.
    package nonisolated let time: SessionTime
    /// The session runs on another machine, and this one follows its log.
    package nonisolated let isMirrored: Bool
    nonisolated let executor: QueueExecutor
    private nonisolated let published: Mutex<Published>
    /// The latest mirroring. Behind a lock, because displays read it.
    nonisolated let latestMirror = Mutex<SessionMirror?>(nil)
    /// Why the journal cannot be written. Nil while it can.
    package nonisolated let journalFault = Mutex<SessionError?>(nil)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The objects that apps have.
    package weak var session: (any SessionObserver<SessionNotice>)?
    package weak var builder: (any SessionObserver<BuilderNotice>)?
    /// The types that the app collects from sensors. Nil for nothing, without a data source.
    package var dataSource: (any CollectionPolicy)?
    package var collectsEvents = true
    /// The error of an initializer that cannot throw. Such a session does not begin.
    package var startFault: (any Error)?
    /// Notified when this session begins to run. Nil for a builder without a session.
    package var active: ActiveSession?

    package private(set) var log: LiveSessionLog
    /// Where the log of another machine's session is kept.
    private let logFolder: URL?
    package internal(set) var sinks: [any SessionLogSink]
    /// The mirroring of the session, if any. It is notified of each entry after all others.
    var mirror: SessionMirror?
    var sensors: [any Sensor]
    var sensorTasks: [Task<Void, Never>] = []
    /// How many sensors are reading a recording or a simulation. A world whose clock a test advances waits until they sleep.
    package nonisolated let pacedReadings = Atomic(0)
    /// All sensors are read, and the session's clock runs. Before, a prepared session connects its sensors.
    var areSensorsStarted = false
    var energy: EnergyEstimate?
    /// The other side of a mirrored session.
    var remote = RemoteSide()
    /// Stores samples while the session runs. Nil if nothing is stored.
    var live: (any SampleStore)?
    /// See ``crash()``.
    var hasCrashed = false
    /// The zones of the workout, and of each the latest zone. Nil until a reading asks for them.
    var zonesInForce: [(record: ZoneRecord, latest: Int?)]?
    /// Whether the app has asked for the session's builder: what sensors measure waits then for its collection to begin.
    package nonisolated let isBuilderAskedFor = Atomic(false)

    struct Published {
        var state = SessionState()
        var timeline: SessionTimeline
        /// The latest heart rate that came in a pause.
        var pulse: QuantityReading?
    }

    /// A new session.
    /// - Parameters:
    ///   - creator: The identifier of the app, for the header of the log.
    ///   - context: Runs all work of the session, including its observers' calls. Nil for no special place.
    package init(
        id: UUID = UUID(), configuration: ActivityDescription, sensors: [any Sensor] = [],
        wearer: WearerProfile? = nil, journal: SessionJournal? = nil, sinks: [any SessionLogSink] = [],
        creator: String, time: any TimeSource, context: TaskContext?
    ) {
        self.id = id
        self.configuration = configuration
        executor = QueueExecutor(label: Self.queueLabel, context)
        self.sensors = sensors
        self.sinks = sinks
        let time = SessionTime(time)
        self.time = time
        isMirrored = false
        let leading = sensors.first { $0.pace != .wall }
        var state = SessionState()
        var timeline = SessionTimeline(pace: leading?.pace ?? .wall, fixedStart: leading?.fixedStart)
        let opening = Self.opening(
            SessionHeader(id: id, activity: configuration, creator: creator), wearer,
            at: timeline.now(wall: time.now()))
        log = LiveSessionLog(journal)
        logFolder = nil
        for entry in opening {
            log.append(entry)
            state.apply(entry)
            for sink in sinks { sink.append(entry) }
        }
        energy = wearer.flatMap { EnergyEstimate($0, beside: sensors) }
        timeline.advance(to: opening[0].date, wall: opening[0].date)
        published = Mutex(Published(state: state, timeline: timeline))
    }

    /// A session that continues from its log, and the state of the log. Values held at the end of the log are not held
    /// over the time between. The log of an ended session is complete and stays unchanged, because other machines may
    /// have all of it.
    package init(
        resuming log: LiveSessionLog, _ left: SessionState, sensors: [any Sensor] = [],
        sinks: [any SessionLogSink] = [],
        time: any TimeSource, context: TaskContext?
    ) {
        executor = QueueExecutor(label: Self.queueLabel, context)
        var state = left
        let end = log.lastDate ?? time.now()
        let lost = state.phase == .ended ? [] : state.sensors.filter { $0.presence == .present }
        let gap = lost.map { sensor in
            var away = sensor
            away.presence = .away
            return SessionEntry(end, .sensor(away))
        }
        for entry in gap {
            log.append(entry)
            state.apply(entry)
            for sink in sinks { sink.append(entry) }
        }
        id = state.header?.id ?? UUID()
        configuration = state.header?.activity ?? ActivityDescription()
        energy = state.wearer.flatMap { EnergyEstimate($0, beside: sensors) }
        self.sensors = sensors
        self.sinks = sinks
        self.time = SessionTime(time, aheadInSeconds: state.clockSetInSeconds, continuing: log.lastDate)
        isMirrored = false
        self.log = log
        logFolder = nil
        var timeline = SessionTimeline(pace: sensors.first { $0.pace != .wall }?.pace ?? .wall)
        if let start = state.startDate {
            timeline.resume(at: end, start: start, wall: self.time.now())
            if state.phase.isOver { timeline.sessionStopped(at: state.endDate ?? end) }
        }
        published = Mutex(Published(state: state, timeline: timeline))
    }

    /// A session that follows one on another machine. Its log comes from there, the header first.
    /// - Parameter folder: a folder for the log in the meantime. Nil for memory.
    package init(
        following header: SessionHeader, clock: FollowedClock, logFolder folder: URL?, time: any TimeSource,
        context: TaskContext?
    ) {
        executor = QueueExecutor(label: Self.queueLabel, context)
        log = .fleeting(in: folder)
        logFolder = folder
        id = header.id
        configuration = header.activity
        sensors = []
        sinks = []
        self.time = SessionTime(time)
        isMirrored = true
        var timeline = SessionTimeline()
        timeline.followed = clock
        published = Mutex(Published(timeline: timeline))
    }

    private static let queueLabel = "HealthKit.session"

    private static func opening(
        _ header: SessionHeader, _ wearer: WearerProfile?, at date: Date
    ) -> [SessionEntry] {
        [SessionEntry(date, .header(header))] + (wearer.map { [SessionEntry(date, .wearer($0))] } ?? [])
    }

    // MARK: Reading, from anywhere

    /// The state after the last entry.
    package nonisolated var state: SessionState { published.withLock { $0.state } }

    /// Reads the state without copying it.
    package nonisolated func read<Result: Sendable>(_ body: (borrowing SessionState) -> Result) -> Result {
        published.withLock { body($0.state) }
    }

    /// The latest heart rate in a pause or before the start, for displays. It is not collected.
    package nonisolated var pulseInPause: QuantityReading? { published.withLock { $0.pulse } }

    func notePulse(_ reading: QuantityReading) { published.withLock { $0.pulse = reading } }

    /// The moment on the session's time line.
    package nonisolated var now: Date {
        let wall = time.now()
        return published.withLock { $0.timeline.now(wall: wall) }
    }

    package nonisolated func activeSeconds(at date: Date? = nil) -> TimeInterval {
        let wall = time.now()
        return published.withLock {
            $0.state.activeSeconds(at: date ?? $0.state.workoutEnd ?? $0.timeline.now(wall: wall))
        }
    }

    /// The seconds of session time in one second of this world. Also 1 if it jumps.
    package nonisolated var secondsPerSecond: Double { if case .times(let speed) = pace { speed } else { 1 } }

    /// How the session's clock runs.
    package nonisolated var pace: SessionTimeline.Pace { published.withLock { $0.timeline.pace } }

    // MARK: Running on the queue

    /// Runs `body` after everything that was requested before. Returns at once. An app may wait for it, even in a callback.
    package nonisolated func enqueue(_ body: @escaping @Sendable (isolated WorkoutRecorder) -> Void) {
        executor.perform(isAwaited: true) { self.assumeIsolated { body($0) } }
    }

    /// Calls the app, on the queue. If the app is being called, it is notified after that call.
    package nonisolated func notify(_ callback: @escaping @Sendable () -> Void) {
        executor.notify(callback)
    }

    /// Runs `work` on the queue, after everything that was requested before.
    package nonisolated func schedule(_ work: @escaping @Sendable () -> Void) {
        executor.perform(work)
    }

    /// Lets waiting requests go first. At full speed, a replay gets here thousands of times,
    /// and a suspension costs two thread switches. So it only suspends if somebody waits.
    func turn() async {
        if executor.hasWork { await Task.yield() }
    }

    // MARK: Appending

    /// Appends an entry to the log and the state, after any change of the wall clock.
    package func append(_ entry: SessionEntry) {
        if !isMirrored, read({ $0.workoutStart != nil }) {
            for step in time.newSteps() { take(SessionEntry(now, .clockSet(bySeconds: step.seconds))) }
        }
        take(entry)
    }

    /// Changes the log and the state. No other code does.
    private func take(_ entry: SessionEntry) {
        let wall = time.now()
        log.append(entry)
        published.withLock {
            $0.state.apply(entry)
            $0.timeline.advance(to: entry.date, wall: wall)
        }
        for sink in sinks { sink.append(entry) }
        mirror?.append(entry)
    }

    /// From here on, the present log survives a crash.
    package func commit() throws { try log.commit() }

    /// Forgets the log: another one takes its place. `keepsKnown`: apps keep their view of the session and are notified
    /// of the differences.
    func beginAnew(clock: FollowedClock, keepsKnown: Bool) {
        if keepsKnown, remote.known == nil { remote.known = state }
        log = .fleeting(in: logFolder)
        published.withLock {
            $0.state = SessionState()
            $0.timeline = SessionTimeline()
            $0.timeline.followed = clock
        }
        for sink in sinks { sink.beginAnew() }
    }

    package func append(_ content: SessionEntry.Content, at date: Date) {
        append(SessionEntry(date, content))
    }

    func withTimeline(_ body: (inout SessionTimeline) -> Void) {
        published.withLock { body(&$0.timeline) }
    }

    /// Maps a date from the app to the session's time line. Always a date that the log can represent.
    package func sessionDate(for date: Date) -> Date {
        // Once the clock was set, its dates differ from the session's.
        let date = time.isWallClockSet && !log.knows(date) ? time.date(atWall: date) : date
        let wall = time.now()
        let timeline = published.withLock { $0.timeline }
        return SessionLogDate.inRange(timeline.sessionDate(for: date, wall: wall, isKnown: log.knows))
    }

    /// Begins the session's time here if only its header is dated so far, whatever the clock was set to before.
    func beginTime(at date: Date?) {
        if read({ $0.startDate == nil && $0.collection == .notBegun }) { time.anchorAnew(atWall: date) }
    }
}

extension WorkoutRecorder {
    /// Adds a reader of the log, from the next entry on.
    package func add(_ sink: any SessionLogSink) {
        sinks.append(sink)
    }

    /// Makes the store collect samples while the session runs. Not for another machine's session, which keeps its own,
    /// and not for a session without recovery, such as an import, whose workout is stored as a whole or not at all.
    package func keepSamples(_ make: (LiveSessionLog) -> (any SampleStore)?) {
        guard !isMirrored, log.journal?.isRemoved != true, let live = make(log) else { return }
        keep(live)
    }

    /// Stores the samples of the log, both present and future ones.
    func keep(_ live: any SampleStore) {
        if read({ !$0.quantities.isEmpty }) { live.noteAll() }
        self.live = live
        sinks.append(live)
    }
}
