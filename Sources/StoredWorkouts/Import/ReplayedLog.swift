import Dispatch
import Engine
package import Recordings
package import SessionLog
import Synchronization

/// The log of a session that replays a recording at once and collects everything, without the session: a pure fold over
/// the entries of the recording.
///
/// The rules are those of ``WorkoutRecorder``, and a test compares both. The log is computed again for each read, so
/// that memory does not grow with the recording.
package struct ReplayedLog: CountedLog {
    package let id: UUID
    // Until the log is read, these are empty.
    /// The state after all entries.
    package private(set) var state = SessionState()
    package var sensors: [SensorStatus] { state.sensors }
    /// The route. Nil without positions.
    package private(set) var route: RouteSummary?
    /// The electrocardiograms in the log.
    package private(set) var electrocardiograms: [ElectrocardiogramSpans.Span] = []
    /// The effort, from 1 to 10. It is about the workout and not a part of the log.
    package private(set) var effort: Double?
    /// The best efforts. Nil if they weren't asked for, or have to be computed from the store: see ``LoggedEfforts``.
    package private(set) var efforts: WorkoutEfforts?

    private let recording: Recording
    private let start: Date
    private let activity: ActivityDescription
    private let wearer: WearerProfile?
    private let energy: EnergyEstimate?
    fileprivate var isCancelled: @Sendable () -> Bool

    /// - Parameter isCancelled: Called every few thousand entries, whenever the log is read, by whichever thread reads it.
    /// - Throws: ``NoWorkoutToReplay``.
    package init(
        _ recording: Recording, id: UUID, environment: HealthEnvironment, isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        let sensor = try ReplaySensor(
            recording.replayed, ReplayOptions(speed: .infinity, keepsDates: true), now: environment.time.now())
        guard let start = sensor.fixedStart else { throw NoWorkoutToReplay() }
        self.id = id
        self.recording = recording
        self.start = start
        self.isCancelled = isCancelled
        activity = recording.header?.activity ?? ActivityDescription()
        wearer = environment.wearer(of: [sensor])
        energy = wearer.flatMap { EnergyEstimate($0, beside: [sensor]) }
    }

    /// Reads the log once, and returns it with what it states.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an activity that does not fit the workout; the
    ///   `RecordingError` of a file that cannot be read to its end; `CancellationError`.
    fileprivate func read(findingEfforts findsEfforts: Bool) throws -> ReplayedLog {
        var log = self
        var state = SessionState()
        var route = LoggedRoute()
        var effort: Double?
        var voltages = ElectrocardiogramSpans()
        var efforts = findsEfforts ? LoggedEfforts() : nil
        try forEach(noting: &effort) { entry in
            state.apply(entry)
            route.take(entry)
            voltages.take(entry)
            efforts?.take(entry)
        }
        log.state = state
        log.effort = effort
        log.efforts = efforts?.efforts
        log.electrocardiograms = voltages.all
        log.route = try route.summary(pauses: state.summarizedPauses)
        return log
    }

    /// The watch or bike computer that wrote the recording. Nil if it is unknown.
    fileprivate var recorder: HKDevice? {
        guard let device = sensors.first(where: { $0.id == DeviceDescription.recorderID })?.device,
            device.manufacturer != nil || device.model != nil || device.name?.hasSuffix(" recorder") == false
        else { return nil }
        return HKDevice(device)
    }

    package func forEach(_ body: (SessionEntry) throws -> Void) throws {
        var effort: Double?
        try forEach(noting: &effort, body)
    }

    private func forEach(noting effort: inout Double?, _ body: (SessionEntry) throws -> Void) throws {
        let header = SessionHeader(id: id, activity: activity, creator: HKSource.default().bundleIdentifier)
        try body(SessionEntry(start, .header(header)))
        if let wearer { try body(SessionEntry(start, .wearer(wearer))) }
        try body(SessionEntry(start, .state(.running)))
        try body(SessionEntry(start, .collection(.began(events: true))))
        var session = Session(activity: activity, start: start, energy: energy)
        let entries = recording.entriesWithReadings
        var scores = EffortScores()
        var instant: Date?
        var count = 0
        try entries.forEach { entry in
            // All entries of one instant are added together, including those after a stop.
            if entry.date != instant {
                if session.phase.isOver { return false }
                instant = entry.date
            }
            let numbers = entry.numbers
            if let score = scores.score(of: entry, numbers) {
                effort = score
            } else {
                try session.take(entry, numbers, body)
            }
            count += 1
            if count & 0xFFF == 0, isCancelled() { throw CancellationError() }
            return true
        }
        if let failure = entries.failure, !session.phase.isOver { throw failure }
        if isCancelled() { throw CancellationError() }
        try session.end(body)
    }

    /// The state that decides whether and how an entry counts.
    private struct Session {
        let activity: ActivityDescription
        let start: Date
        var energy: EnergyEstimate?
        private(set) var phase = SessionPhase.running
        private var pausing = SessionPauses()
        private var hasOpenActivity = false
        /// The date when it stopped.
        private var stop: Date?
        private var lastDate: Date

        init(activity: ActivityDescription, start: Date, energy: EnergyEstimate?) {
            self.activity = activity
            self.start = start
            self.energy = energy
            lastDate = start
        }

        mutating func take(
            _ entry: SessionEntry, _ numbers: ReadingNumbers?, _ body: (SessionEntry) throws -> Void
        ) throws {
            // Nearly all entries are readings that count as a whole.
            if let reading = numbers, reading.start <= reading.end,
                pausing.countsWhole(from: reading.start, to: reading.end)
            {
                return try add(entry, reading, body)
            }
            try takeOther(entry, body)
        }

        // A separate function, so that only such an entry is copied.
        @inline(never)
        private mutating func takeOther(_ entry: SessionEntry, _ body: (SessionEntry) throws -> Void) throws {
            switch entry.content {
            case .quantity(let reading):
                // The log contains readings without a HealthKit type too, as does that of a session.
                guard reading.start <= reading.end else { return }
                switch pausing.share(of: reading) {
                case .all: try add(entry, ReadingNumbers(reading), body)
                case .nothing: break
                case .parts(let parts):
                    for part in parts {
                        try add(SessionEntry(part.end, .quantity(part)), ReadingNumbers(part), body)
                    }
                }
            case .beats, .waveform: if pausing.counts(entry.date) { try append(entry, body) }
            case .position(let position):
                if position.isAdded || pausing.counts(entry.date) { try append(entry, body) }
            case .category, .object, .sensor, .metadata, .notification, .routeDiscarded, .activityMetadata, .zones:
                try append(entry, body)
            case .event(var event):
                event.isAdded = false
                try append(SessionEntry(entry.date, .event(event)), body)
            case .state(let next): try change(to: next, at: entry.date, body)
            case .activityBegan(let record): try begin(record, entry, body)
            case .activityEnded:
                guard hasOpenActivity else { return }
                hasOpenActivity = false
                try append(entry, body)
            case .header, .collection, .wearer, .remoteData, .companion, .clockSet:
                break  // A session has its own.
            }
        }

        mutating func end(_ body: (SessionEntry) throws -> Void) throws {
            if !phase.isOver { try stop(at: lastDate, body) }
            try body(SessionEntry(stop ?? lastDate, .collection(.ended)))
        }

        private mutating func append(_ entry: SessionEntry, _ body: (SessionEntry) throws -> Void) rethrows {
            lastDate = entry.date
            try body(entry)
        }

        private mutating func add(
            _ entry: SessionEntry, _ reading: ReadingNumbers, _ body: (SessionEntry) throws -> Void
        ) rethrows {
            try append(entry, body)
            guard reading.isHeartRate, phase == .running else { return }
            for estimate in energy?.add(reading.value, at: reading.start) ?? [] {
                try append(SessionEntry(estimate.end, .quantity(estimate)), body)
            }
        }

        private mutating func change(
            to next: SessionPhase, at proposed: Date, _ body: (SessionEntry) throws -> Void
        ) rethrows {
            switch (phase, next) {
            case (.running, .paused):
                let date = max(earliest, proposed)
                phase = .paused
                pausing.begin(at: date)
                energy?.pause()
                try append(SessionEntry(date, .state(.paused)), body)
            case (.paused, .running):
                let date = max(earliest, proposed)
                phase = .running
                pausing.end(at: date)
                try append(SessionEntry(date, .state(.running)), body)
            case (.running, .stopped), (.paused, .stopped): try stop(at: proposed, body)
            default: break
            }
        }

        private mutating func stop(at proposed: Date, _ body: (SessionEntry) throws -> Void) rethrows {
            let date = max(earliest, proposed)
            phase = .stopped
            hasOpenActivity = false
            stop = date
            try append(SessionEntry(date, .state(.stopped)), body)
        }

        /// The earliest date for an entry, since time does not run backwards.
        private var earliest: Date { pausing.all.last.map { $0.end ?? $0.start } ?? start }

        private mutating func begin(
            _ record: ActivityRecord, _ entry: SessionEntry, _ body: (SessionEntry) throws -> Void
        ) throws {
            guard !phase.isOver else { return }
            guard activity.takes(record.activity) else {
                throw HKError.make(
                    .errorWorkoutActivityNotAllowed,
                    "A \(activity.activity) workout takes no activity of type \(record.activity.activity).")
            }
            hasOpenActivity = true
            try append(entry, body)
        }
    }
}

extension HKHealthStore {
    /// Stores a recording as the finished workout that a session would make of it, completely or not at all.
    ///
    /// - Parameters:
    ///   - id: The UUID of the workout.
    ///   - findsEfforts: Whether to compute its best efforts, too.
    ///   - isCancelled: Called every few thousand entries. If it returns true, nothing is stored.
    /// - Returns: The workout's log, which was read and cannot be cancelled any more.
    /// - Throws: `HKError` if the app may not share workouts, if the store cannot be written, and for a recording
    ///   without a workout; `RecordingError` for a file that cannot be read to its end; `CancellationError`.
    package func save(
        _ recording: Recording, as id: UUID, findsEfforts: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> ReplayedLog {
        try requireSharing([.workoutType()])
        let log = try ReplayedLog(
            recording, id: id, environment: environment, isCancelled: isCancelled)
        // The log is stored while another thread reads what it states.
        let reading = ComputedElsewhere { try log.read(findingEfforts: findsEfforts) }
        let needsWorkoutFirst = Atomic(false)
        func keepBoth() throws {
            do {
                try keep(
                    .recording(id, log: log) { stored in
                        let log = try reading.value()
                        let finished = try log.finished()
                        let isDescribed = stored.allSatisfy { sensor in
                            sensor.device == log.sensors.first { $0.id == sensor.id }.flatMap { HKDevice($0.device) }
                        }
                        guard isDescribed, finished.workout.metadata?[HKMetadataKeySyncIdentifier] == nil else {
                            needsWorkoutFirst.store(true, ordering: .relaxed)
                            throw CancellationError()
                        }
                        return finished
                    })
            } catch _ where needsWorkoutFirst.load(ordering: .relaxed) {
                let log = try reading.value()
                let finished = try log.finished()
                try keep(.workout(finished.workout, log: log, adding: finished.added))
            }
        }
        do {
            try keepBoth()
        } catch {
            // The store wraps a cancellation in an error of its own.
            throw try reading.value().isCancelled() ? CancellationError() : error
        }
        var stored = try reading.value()
        stored.isCancelled = { false }
        return stored
    }
}

extension WorkoutSummary {
    /// Summarizes a replayed recording. The figures of its laps need another pass over it.
    /// - Parameter measuresLaps: Whether the figures of laps are needed.
    package init(_ log: ReplayedLog, measuresLaps: Bool = true) throws {
        var laps = MeasuredLaps(of: log.state)
        if measuresLaps, !laps.figures.isEmpty { try log.forEachCounted { laps.take($0) } }
        self.init(id: log.id, state: log.state, laps.figures, route: log.route)
        electrocardiograms = log.electrocardiograms.map(Electrocardiogram.init)
    }
}

extension ReplayedLog {
    /// The workout of a log that was read.
    fileprivate func finished() throws -> FinishedRecording {
        let workout = try HKWorkout.of(state, id: id, device: recorder)
        let effort = try effort.map { score in
            try HKError.translating {
                try HKQuantitySample.effort(
                    score, of: workout, ObjectIdentity(sourceRevision: workout.sourceRevision))
            }
        }
        return FinishedRecording(workout, adding: AddedSeries(effort: effort))
    }
}

/// A value that another thread computes.
private final class ComputedElsewhere<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let end = DispatchGroup()

    init(_ compute: @escaping @Sendable () throws -> Value) {
        // A queue of its own always gets a thread, also on a machine with one core.
        DispatchQueue(label: "HealthKit.recording").async(group: end) {
            let computed = Result { try compute() }
            self.result.withLock { $0 = computed }
        }
    }

    /// Waits for the value.
    func value() throws -> Value {
        end.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("the group ends with the result") }
        return try result.get()
    }
}

/// Finds the effort of a workout among its readings. It does not take readings of other kinds out of their entries: that
/// would cost as much as the rest of a pass.
private struct EffortScores {
    /// The kinds that are something else.
    private var others = KindCache<Void>()

    /// Returns the effort, from 1 to 10. Nil for another entry.
    mutating func score(of entry: SessionEntry, _ numbers: ReadingNumbers?) -> Double? {
        if let numbers, others[numbers.kind] != nil { return nil }
        return entry.isReading ? scoreOfOther(entry) : nil
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func scoreOfOther(_ entry: SessionEntry) -> Double? {
        guard case .quantity(let reading) = entry.content else { return nil }
        guard reading.type == WorkoutLabels.effortType else {
            if reading.origin == nil { others.note((), of: reading.kind) }
            return nil
        }
        return (1...10).contains(reading.value) ? reading.value : nil
    }
}
