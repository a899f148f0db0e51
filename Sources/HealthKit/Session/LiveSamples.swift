import Engine
import SessionLog
import Synchronization

/// Saves the measurements of a running session to the store. It is one more reader of the session's log.
///
/// As on a watch, the store has the samples of a session while it runs: queries find them and observers are notified.
/// They are saved on request (``SaveRequest``): a query of any process first has waiting samples saved, and observers
/// request it every three quarters of a second. Without requests they are saved once a minute.
///
/// A sample has the same UUID whenever the log is converted into samples. So nothing is stored twice, neither when a
/// session is recovered, nor when its workout is finished, which only relates the samples to it. The journal is the
/// durable copy of the log, so no group waits for the disk. Readings that no workout collects, and no log contains, are
/// saved after at most ten seconds, and are then on the disk.
///
/// While the store cannot be written (a full disk, a locked device), the session continues. Missing samples are read
/// from the log later.
final class LiveSamples: SampleStore {
    /// The interval if readers can request waiting samples.
    private let longInterval: DispatchTimeInterval
    /// The interval for readings that are in no log.
    private static let othersInterval = DispatchTimeInterval.seconds(10)
    /// The interval if readers cannot send requests: the store is in memory, where saving costs little, or no file can
    /// be watched.
    private static let interval = DispatchTimeInterval.milliseconds(750)
    /// The interval after a group that could not be saved.
    private static let retryInterval = DispatchTimeInterval.seconds(1)
    /// The number of entries read and saved at once.
    private static let longestGroup = 1 << 12
    /// The limit of readings that are in no log, while a store cannot be written.
    private static let mostOthers = 1 << 16

    private let environment: @Sendable () -> HealthEnvironment
    private let database: @Sendable () -> any HealthDatabase
    private let session: UUID
    private let log: LiveSessionLog
    private let state = Mutex(State())
    /// Serialises the groups.
    private let reading: Mutex<Reading>
    private let queue = DispatchQueue(label: "HealthKit.session.samples")
    private let passage = EnvironmentPropagation()
    private let life: EnvironmentLifetime?
    private let waitsForNothing: Bool
    /// The requests. Nil if readers cannot send any.
    private let requests = Mutex<SaveRequests?>(nil)

    private struct State {
        /// Whether there are samples that were not read yet.
        var hasNew = false
        /// Whether a save is scheduled.
        var isDue = false
        var isSaving = false
        /// Whether the workout has the samples, or they are not needed.
        var isOver = false
        /// Readings that are in no log.
        var others: [QuantityReading] = []
    }

    private struct Reading {
        /// The first entry of the log that was not read.
        var place = 0
        var samples: LoggedSamples
    }

    /// - Parameters:
    ///   - session: The UUID of the session's workout.
    ///   - environment: The present environment of the session.
    ///   - database: The store for the session's samples.
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
        // A clock that a test controls does not wait for the machine's.
        waitsForNothing = environment.time.isApart
        environment.liveSessions.add(self)
        guard !waitsForNothing, environment.keepsWorkouts, let file = environment.storeFile else { return }
        let requests = SaveRequests(besideStore: file, on: queue) { [weak self] in self?.save() }
        self.requests.withLock { $0 = requests }
    }

    // MARK: Arrivals

    func append(_ entry: SessionEntry) {
        switch entry.content {
        case .quantity, .category, .sensor: note(longInterval) { $0.hasNew = true }
        case .collection(.finished): end()
        case .state(.ended):
            // The process may end with its session, and no log has the other readings.
            if state.withLock({ !$0.others.isEmpty }) { save() } else { save {} }
        case .header, .wearer, .state, .collection, .event, .metadata, .activityBegan, .activityMetadata,
            .activityEnded, .beats, .waveform, .position, .routeDiscarded, .notification, .object, .remoteData,
            .zones, .companion, .clockSet:
            break
        }
    }

    /// Requests saving everything in the log.
    func noteAll() { note(longInterval) { $0.hasNew = true } }

    /// Adds a reading that no workout collects, so that only the store keeps it.
    func measured(_ reading: QuantityReading) {
        note(Self.othersInterval) { if $0.others.count < Self.mostOthers { $0.others.append(reading) } }
    }

    /// - Parameter interval: How long it may wait if readers can request it.
    private func note(_ interval: DispatchTimeInterval, _ body: (inout State) -> Void) {
        let (becameDue, isAskedFor) = state.withLock { state in
            body(&state)
            defer { state.isDue = true }
            return (!state.isDue, requests.withLock { $0?.hold() } == true)
        }
        guard becameDue else { return }
        saveSoon(waitsForNothing ? .nanoseconds(0) : isAskedFor ? interval : Self.interval)
    }

    /// Ends the saving: the workout has the samples, or the process that recovers the session saves them.
    func end() {
        state.withLock { state in
            state.isOver = true
            if Self.isSaved(state) { requests.withLock { $0?.release() } }
        }
    }

    /// Answers waiting readers: nothing is left for them, or the rest cannot be saved now.
    private func answer(_ isFailed: Bool) {
        state.withLock { state in
            state.isSaving = false
            if isFailed || Self.isSaved(state) { requests.withLock { $0?.release() } }
        }
    }

    private func saveSoon(_ interval: DispatchTimeInterval) {
        // Keeps nothing alive: a session that an app has released may be recovered at once from its log.
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isDue = false }
            save()
        }
    }

    // MARK: Saving

    /// Whether everything is saved.
    var isSaved: Bool { state.withLock { Self.isSaved($0) } }

    private static func isSaved(_ state: State) -> Bool {
        (state.isOver || !state.hasNew) && state.others.isEmpty && !state.isSaving
    }

    /// Saves the samples on its own queue, and calls `done`.
    func save(_ done: @escaping @Sendable () -> Void) {
        queue.async {
            self.save()
            done()
        }
    }

    /// Saves the samples. A save that fails is tried again.
    ///
    /// - Parameter isLast: Whether the workout will not be finished, and the journal will be removed.
    /// - Returns: Why it cannot be saved, or nil if it is.
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
            // A test's world that has ended has no store.
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

    func saveRest() -> (any Error)? { save(lastTime: true) }

    /// Removes the saved samples from the store, and saves nothing more.
    /// - Returns: Why they cannot be removed, or nil if they are.
    func removeAll() -> (any Error)? {
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
