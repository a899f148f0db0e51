import SessionLog
import Synchronization

/// What a running session measures, on its way into the store: one more reader of its log.
///
/// As on a watch, the store has the samples of a session while it runs: queries find them and observers hear of them. They are
/// saved when somebody wants them (``SaveRequest``): a query has what waits saved first, whichever process it is of, and observers
/// ask every three quarters of a second. If nobody does, they are saved once a minute.
///
/// A sample has the same UUID whenever the log is made into samples. So nothing is stored twice: not when a session is recovered,
/// and not when its workout is finished, which only relates them to it. The journal is the durable copy of what stands in the log, so
/// no group waits for the disk. What no workout collects, and no log holds, is saved after ten seconds at the latest, and is on the disk
/// then.
///
/// While the store cannot be written (a full disk, a locked device), the session goes on. What is missing is read from the log
/// later.
final class LiveSamples: SessionLogSink, SavedLater {
    /// Where readers can ask for what waits.
    private let longInterval: DispatchTimeInterval
    /// For what stands in no log.
    private static let othersInterval = DispatchTimeInterval.seconds(10)
    /// Where they cannot: the store is in memory, where saving costs little, or no file can be watched.
    private static let interval = DispatchTimeInterval.milliseconds(750)
    /// After a group that could not be saved.
    private static let retryInterval = DispatchTimeInterval.seconds(1)
    /// So many entries are read and saved at once.
    private static let longestGroup = 1 << 12
    /// More samples than these, of which no log knows, do not wait for a store that cannot be written.
    private static let mostOthers = 1 << 16

    private let environment: @Sendable () -> HealthEnvironment
    private let database: @Sendable () -> any HealthDatabase
    private let session: UUID
    private let log: LiveSessionLog
    private let state = Mutex(State())
    /// One group after the other.
    private let reading: Mutex<Reading>
    private let queue = DispatchQueue(label: "HealthKit.session.samples")
    private let passage = EnvironmentPropagation()
    private let life: EnvironmentLifetime?
    private let waitsForNothing: Bool
    /// Nil where readers cannot ask.
    private let requests = Mutex<SaveRequests?>(nil)

    private struct State {
        /// Samples came that were not read yet.
        var hasNew = false
        /// They will be looked after.
        var isDue = false
        var isSaving = false
        /// The workout has them, or nobody wants them.
        var isOver = false
        /// What was measured and stands in no log.
        var others: [QuantityReading] = []
    }

    private struct Reading {
        /// The first entry of the log that was not read.
        var place = 0
        var samples: LoggedSamples
    }

    /// - Parameters:
    ///   - session: The UUID of the session's workout.
    ///   - environment: The session's, as it is now.
    ///   - database: Where the session's samples go.
    init(
        of session: UUID, _ log: LiveSessionLog, environment: @escaping @Sendable () -> HealthEnvironment,
        database: @escaping @Sendable () -> any HealthDatabase
    ) {
        self.environment = environment
        self.database = database
        self.session = session
        self.log = log
        reading = Mutex(Reading(samples: LoggedSamples(of: session)))
        let environment = environment()
        life = environment.lifetime
        longInterval = environment.longestSampleWait
        // Who turns the hands of a clock does not wait for the machine's.
        waitsForNothing = environment.time.isApart
        environment.liveSessions.add(self)
        guard !waitsForNothing, environment.keepsWorkouts, let file = environment.storeFile else { return }
        let requests = SaveRequests(besideStore: file, on: queue) { [weak self] in self?.save() }
        self.requests.withLock { $0 = requests }
    }

    // MARK: What comes

    func append(_ entry: SessionEntry) {
        switch entry.content {
        case .quantity, .category, .sensor: note(longInterval) { $0.hasNew = true }
        case .collection(.finished): end()
        case .state(.ended):
            // The process may end with its session, and no log has the others.
            if state.withLock({ !$0.others.isEmpty }) { save() } else { save {} }
        case .header, .wearer, .state, .collection, .event, .metadata, .activityBegan, .activityMetadata,
            .activityEnded, .beats, .position, .routeDiscarded, .notification, .object, .remoteData, .companion,
            .clockSet:
            break
        }
    }

    /// What the log holds already is to be saved too.
    func noteAll() { note(longInterval) { $0.hasNew = true } }

    /// Takes a reading that no workout collects: the store alone keeps it.
    func measured(_ reading: QuantityReading) {
        note(Self.othersInterval) { if $0.others.count < Self.mostOthers { $0.others.append(reading) } }
    }

    /// - Parameter interval: How long it may wait where readers can ask for it.
    private func note(_ interval: DispatchTimeInterval, _ body: (inout State) -> Void) {
        let (becameDue, isAskedFor) = state.withLock { state in
            body(&state)
            defer { state.isDue = true }
            return (!state.isDue, requests.withLock { $0?.hold() } == true)
        }
        guard becameDue else { return }
        saveSoon(waitsForNothing ? .nanoseconds(0) : isAskedFor ? interval : Self.interval)
    }

    /// The workout has the samples, or whoever recovers the session saves them.
    func end() {
        state.withLock { state in
            state.isOver = true
            if Self.isSaved(state) { requests.withLock { $0?.release() } }
        }
    }

    /// Readers wait no longer: nothing is left for them, or what is left cannot be saved now.
    private func answer(_ isFailed: Bool) {
        state.withLock { state in
            state.isSaving = false
            if isFailed || Self.isSaved(state) { requests.withLock { $0?.release() } }
        }
    }

    private func saveSoon(_ interval: DispatchTimeInterval) {
        // Holds nobody: a session that an app has let go of may be recovered at once, from its log.
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isDue = false }
            save()
        }
    }

    // MARK: Saving

    /// Whether nothing waits.
    var isSaved: Bool { state.withLock { Self.isSaved($0) } }

    private static func isSaved(_ state: State) -> Bool {
        (state.isOver || !state.hasNew) && state.others.isEmpty && !state.isSaving
    }

    /// Saves what waits, on a queue of its own, and calls `done`.
    func save(_ done: @escaping @Sendable () -> Void) {
        queue.async {
            self.save()
            done()
        }
    }

    /// Saves what waits. What cannot be saved is tried again.
    ///
    /// - Parameter isLast: Nobody will finish the workout, and the journal goes.
    /// - Returns: Why it cannot be saved; nil if it is.
    @discardableResult
    func save(lastTime isLast: Bool = false) -> HKError? {
        reading.withLock { reading in
            let others = state.withLock { state -> [QuantityReading]? in
                defer { state.others = [] }
                let isNeeded = isLast || state.hasNew && !state.isOver || !state.others.isEmpty
                state.isSaving = isNeeded
                if isNeeded { state.hasNew = false }
                return isNeeded ? state.others : nil
            }
            var isFailed = false
            defer { answer(isFailed) }
            // A world that has ended has no store.
            guard let others, life == nil || life?.environment != nil else { return nil }
            do {
                try passage { try save(&reading, others, isLast: isLast) }
                return nil
            } catch {
                isFailed = true
                let fault = HKError.wrapping(error)
                if fault.code == .errorDatabaseInaccessible { tryAgain(others) }
                return fault
            }
        }
    }

    private func tryAgain(_ others: [QuantityReading]) {
        let becomesDue = state.withLock { state in
            state.others = others + state.others
            state.hasNew = true
            defer { state.isDue = true }
            return !state.isDue
        }
        if becomesDue { saveSoon(Self.retryInterval) }
    }

    private func save(_ reading: inout Reading, _ others: [QuantityReading], isLast: Bool) throws {
        let environment = environment()
        guard environment.keepsWorkouts else { return }
        try environment.requireWritable()
        let journal = try environment.lockedJournal
        if journal != nil, !isLast {
            throw HKError.make(
                .errorDatabaseInaccessible, "The samples of the session wait until the device is unlocked.")
        }
        func write(
            _ samples: [HKSample], _ identified: [(device: HKDevice, samples: Set<UUID>)] = [], isDurable: Bool
        ) throws {
            if let journal {
                if !samples.isEmpty { try journal.append(.objects(samples), from: .current) }
                return
            }
            var changes = identified.map { StoreChange.setDevice($0.device, of: $0.samples) }
            if !samples.isEmpty { changes.append(.collect(samples, of: session, isDurable: isDurable)) }
            if !changes.isEmpty { try database().apply(changes, from: .current, once: nil) }
        }
        while !state.withLock({ $0.isOver }) {
            let (entries, next) = try log.entries(from: reading.place, limit: Self.longestGroup)
            guard next > reading.place else { break }
            var samples = reading.samples
            let new = entries.compactMap { samples.sample(of: $0) }
            try write(new, samples.takeIdentified(), isDurable: isLast)
            reading.samples = samples
            reading.place = next
        }
        var samples = reading.samples
        try write(others.compactMap { samples.measurement($0) }, isDurable: true)
        reading.samples = samples
    }

    /// Takes what was saved out of the store again, and saves nothing more.
    /// - Returns: Why it cannot be removed; nil if it is.
    func removeAll() -> HKError? {
        reading.withLock { _ in
            state.withLock { state in
                state.isOver = true
                state.others = []
            }
            do {
                _ = try database().remove(.collected(session: session), owner: nil)
                return nil
            } catch {
                return HKError.wrapping(error)
            }
        }
    }
}
