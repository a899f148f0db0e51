package import Recordings
import Synchronization

/// The one owner of a session: appends to its log, folds, and calls back.
///
/// Everything that changes a session happens here, on one serial queue, in the order in which it was asked for; the
/// delegates of the session and the builder are called on the same queue, so an app sees changes in the log's order.
/// What an app may read at any time (state, statistics, elapsed time) is published behind a lock.
///
///     sensor ── batch ──▶ collect ─▶ append to the log ─▶ fold ─▶ delegates      (one hop: onto the queue)
///     app ───── call ───▶ ┘                │
///                                          └─▶ sinks: screen, file, mirror        (none awaited)
package actor WorkoutRecorder {
    /// Identifies the workout from its first entry on.
    package nonisolated let id: UUID
    package nonisolated let configuration: ActivityDescription
    nonisolated let time: any TimeSource
    /// The session runs on another machine, and this one follows its log.
    package nonisolated let isMirrored: Bool
    private nonisolated let executor = QueueExecutor(label: "HealthKit.session")
    private nonisolated let published: Mutex<Published>
    /// The latest mirroring. Behind a lock, for whoever shows how it stands.
    nonisolated let latestMirror = Mutex<SessionMirror?>(nil)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Apple's surface, to be told of changes.
    weak var session: HKWorkoutSession?
    weak var builder: HKLiveWorkoutBuilder?
    /// Which types the app wants from sensors; nil: no data source, nothing.
    var dataSource: HKLiveWorkoutDataSource?
    var collectsEvents = true
    /// Who is told when this session begins to run; nil for a builder without a session.
    var active: ActiveSession?

    package private(set) var log: SessionLog
    /// Where the log of another machine's session is kept.
    private let logFolder: URL?
    var sinks: [any SessionLogSink]
    /// Where the session is mirrored to, as long as it is: told of each entry after all others.
    var mirror: SessionMirror?
    var sensors: [any Sensor]
    var sensorTasks: [Task<Void, Never>] = []
    var energy: EnergyEstimate?
    /// The other side of a mirrored session.
    var remote = RemoteSide()

    struct Published {
        var state = SessionState()
        var timeline: SessionTimeline
    }

    package init(
        id: UUID = UUID(), configuration: ActivityDescription, sensors: [any Sensor] = [],
        wearer: WearerProfile? = nil, journal: SessionJournal? = nil, sinks: [any SessionLogSink] = [],
        time: any TimeSource = SystemTime()
    ) {
        self.id = id
        self.configuration = configuration
        self.sensors = sensors
        self.sinks = sinks
        self.time = time
        isMirrored = false
        let leading = sensors.first { $0.pace != .wall }
        var state = SessionState()
        var timeline = SessionTimeline(pace: leading?.pace ?? .wall, fixedStart: leading?.fixedStart)
        let opening = Self.opening(id, configuration, wearer, at: timeline.now(wall: time.now()))
        log = SessionLog(journal)
        logFolder = nil
        for entry in opening {
            log.append(entry)
            state.apply(entry)
            for sink in sinks { sink.append(entry) }
        }
        energy = wearer.flatMap(EnergyEstimate.init)
        timeline.advance(to: opening[0].date, wall: opening[0].date)
        published = Mutex(Published(state: state, timeline: timeline))
    }

    /// A session that goes on from its log, and the state that this folds to. What was held when the log ended is not held
    /// over the time between. The log of a session that had ended is whole, and stays as it is: other machines may have all of
    /// it.
    package init(
        resuming log: SessionLog, _ left: SessionState, sensors: [any Sensor] = [], sinks: [any SessionLogSink] = [],
        time: any TimeSource = SystemTime()
    ) {
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
        energy = state.wearer.flatMap(EnergyEstimate.init)
        self.sensors = sensors
        self.sinks = sinks
        self.time = time
        isMirrored = false
        self.log = log
        logFolder = nil
        published = Mutex(Published(state: state, timeline: SessionTimeline()))
    }

    /// A session that follows one on another machine. Its log comes from there, the header first.
    /// - Parameter folder: where the log may be kept meanwhile; nil for memory.
    init(following header: SessionHeader, clock: FollowedClock, logFolder folder: URL?, time: any TimeSource) {
        log = .fleeting(in: folder)
        logFolder = folder
        id = header.id
        configuration = header.activity
        sensors = []
        sinks = []
        self.time = time
        isMirrored = true
        var timeline = SessionTimeline()
        timeline.followed = clock
        published = Mutex(Published(timeline: timeline))
    }

    private static func opening(
        _ id: UUID, _ configuration: ActivityDescription, _ wearer: WearerProfile?, at date: Date
    ) -> [SessionEntry] {
        let header = SessionHeader(id: id, activity: configuration, creator: HKSource.default().bundleIdentifier)
        return [SessionEntry(date, .header(header))] + (wearer.map { [SessionEntry(date, .wearer($0))] } ?? [])
    }

    // MARK: Reading, from anywhere

    /// The state as of the last entry.
    package nonisolated var state: SessionState { published.withLock { $0.state } }

    /// Reads the state without copying it.
    package nonisolated func read<Result: Sendable>(_ body: (borrowing SessionState) -> Result) -> Result {
        published.withLock { body($0.state) }
    }

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

    /// How the session's clock runs.
    nonisolated var pace: SessionTimeline.Pace { published.withLock { $0.timeline.pace } }

    // MARK: Getting onto the queue

    /// Does `body` after everything that was asked for before. Returns at once.
    package nonisolated func enqueue(_ body: @escaping @Sendable (isolated WorkoutRecorder) -> Void) {
        executor.perform { self.assumeIsolated { body($0) } }
    }

    /// Does `work`, which knows that it is on the queue, after everything that was asked for before.
    nonisolated func schedule(_ work: @escaping @Sendable () -> Void) {
        executor.perform(work)
    }

    /// Lets what others have asked for meanwhile be done first. At full speed a replay comes here thousands of times, and a
    /// suspension costs two thread switches: so only where somebody waits.
    func turn() async {
        if executor.hasWork { await Task.yield() }
    }

    // MARK: Appending

    /// Takes an entry into the log and the state. The only place where either changes.
    func append(_ entry: SessionEntry) {
        let wall = time.now()
        log.append(entry)
        published.withLock {
            $0.state.apply(entry)
            $0.timeline.advance(to: entry.date, wall: wall)
        }
        for sink in sinks { sink.append(entry) }
        mirror?.append(entry)
    }

    /// What the log holds so far survives a crash from here on.
    func commit() throws { try log.commit() }

    /// A commit that nobody waits for: the session goes on without, and its delegate hears of it.
    func commitOrTell() {
        do {
            try commit()
        } catch {
            session?.fail(
                HKError.make(
                    .errorDatabaseInaccessible,
                    "The session goes on, but its journal cannot be written: it would not survive a crash.",
                    cause: error))
        }
    }

    /// Forgets the log: another one takes its place.
    func beginAnew(clock: FollowedClock) {
        log = .fleeting(in: logFolder)
        published.withLock {
            $0.state = SessionState()
            $0.timeline = SessionTimeline()
            $0.timeline.followed = clock
        }
        for sink in sinks { sink.beginAnew() }
    }

    func append(_ content: SessionEntry.Content, at date: Date) {
        append(SessionEntry(date, content))
    }

    func withTimeline(_ body: (inout SessionTimeline) -> Void) {
        published.withLock { body(&$0.timeline) }
    }

    /// Where a date that the app passed in lies on the session's time line; always a date that the log can say.
    func sessionDate(for date: Date) -> Date {
        let wall = time.now()
        let timeline = published.withLock { $0.timeline }
        return SessionLogDate.inRange(timeline.sessionDate(for: date, wall: wall, isKnown: log.knows))
    }
}

/// Who is told of each entry once it is in the log. Called on the recorder's queue; must not block it for long.
package protocol SessionLogSink: Sendable {
    func append(_ entry: SessionEntry)
    /// What was appended so far is void: another log takes its place, from its first entry on. Only where a log is followed.
    func beginAnew()
}

extension SessionLogSink {
    package func beginAnew() {}
}

extension WorkoutRecorder {
    /// Another reader of the log, from here on.
    package func add(_ sink: any SessionLogSink) {
        sinks.append(sink)
    }
}
