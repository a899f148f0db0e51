import Engine
import Mirroring
import SessionLog
import Synchronization

/// A session that runs on another machine. It receives the session's log, and sends the requests of apps on this
/// machine. Performs the effects of ``FollowState``.
///
/// Everything happens on the recorder's queue, so apps see entries, data and losses in one order.
final class MirroredSession: FollowedSession, RemotePrimary {
    let id: UUID
    /// The machine on which it runs.
    let origin: PeerFingerprint
    let recorder: WorkoutRecorder
    /// The session that apps have. Kept as long as the mirroring may come back, so that apps get the same one again.
    let session: HKWorkoutSession
    private let companions: Companions
    private let held: Mutex<Held>

    private struct Held {
        var state: FollowState
        var channel: MirrorChannel?
        /// The number of channels so far.
        var channels = 0
    }

    init(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, to store: HKHealthStore,
        fingerprint: PeerFingerprint, taken: [Int]
    ) {
        id = greeting.session
        origin = peer.fingerprint
        companions = store.environment.companions
        let time = store.environment.time
        recorder = WorkoutRecorder(
            following: header,
            clock: FollowedClock(pace: greeting.pace, date: greeting.now, wall: time.now()),
            logFolder: store.environment.journalFolder, time: time)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        let state = FollowState(greeting.session, from: peer, to: fingerprint, requests: UUID(), taken: taken)
        held = Mutex(Held(state: state))
        recorder.enqueue { [self] in $0.remote.primary = self }
    }

    /// Returns the channel that answers an offer, and replaces an earlier one. Returns nil for a delayed offer.
    func channel(for offer: MirrorOffer) -> MirrorChannel? {
        let recorder = recorder
        let answer = held.withLock { held -> (channel: MirrorChannel, old: MirrorChannel?)? in
            guard !held.state.isLate(offer.arrival) else { return nil }
            held.channels += 1
            let number = held.channels
            _ = held.state.handle(.answered(channel: number, arrival: offer.arrival))
            let requests = held.state.requests
            let channel = MirrorChannel(
                id: offer.channel,
                source: .kept(log: requests.log, count: requests.count) { [weak self] in
                    self?.requests(from: $0, bytes: $1) ?? []
                },
                delivery: .scheduled(by: { recorder.schedule($0) }) { [weak self] event in
                    self?.handle(.received(event, channel: number, wall: recorder.time.wall()))
                })
            let old = held.channel
            held.channel = channel
            return (channel, old)
        }
        answer?.old?.close()
        return answer?.channel
    }

    /// The current state.
    var state: FollowState { held.withLock { $0.state } }

    // MARK: To the primary

    /// Sends a request to the primary, or data for its app. If the primary is out of reach, it gets it later.
    func send(_ entry: SessionEntry) throws {
        let now = recorder.time.now()
        do {
            try held.withLock { held in
                for case .send(let line) in try held.state.ask(entry, at: now) { held.channel?.append(line) }
            }
        } catch let loss as FollowLoss {
            throw loss.error
        }
    }

    /// Called on the network thread when requests are sent again.
    private func requests(from number: UInt64, bytes: Int) -> [[UInt8]] {
        let now = recorder.time.now()
        let (lines, effects) = held.withLock { $0.state.resend(from: number, bytes: bytes, at: now) }
        if !effects.isEmpty { recorder.schedule { [self] in effects.forEach(perform) } }
        return lines
    }

    // MARK: Effects

    /// Handles an input. Runs on the recorder's queue.
    private func handle(_ input: FollowState.Input) {
        let effects = held.withLock { held in
            let effects = held.state.handle(input)
            if effects.contains(.forget) {
                // The peer of a refused channel gets the reason. It is no longer used.
                if effects.contains(.close) { held.channel?.close() }
                for case .refuse(let peer, let reason) in effects { held.channel?.refuse(peer, reason: reason) }
                held.channel = nil
            }
            return effects
        }
        effects.forEach(perform)
    }

    private func perform(_ effect: FollowState.Effect) {
        recorder.assumeIsolated { recorder in
            switch effect {
            case .beginAnew(let pace, let now, let keepsKnown):
                recorder.beginAnew(
                    clock: FollowedClock(pace: pace, date: now, wall: recorder.time.now()), keepsKnown: keepsKnown)
            case .followSilently(let entries): recorder.followSilently(entries)
            case .follow(let entries): recorder.follow(entries)
            case .hand(let data): recorder.received(data)
            case .notifyDifferences: recorder.notifyDifferences()
            // An app may block in its handler, as in any other callback.
            case .announce: recorder.notify { [companions, session] in companions.start(session) }
            case .save:
                do {
                    try companions.save(id) {
                        try MirroredWorkout.save(recorder.state, recorder.log, id: id, to: session.store)
                    }
                } catch {
                    session.fail(error)
                }
            case .wake(let alarm, let seconds): wake(alarm, after: seconds)
            case .expireOthers: companions.expireLostSessions(at: recorder.time.wall())
            case .notify(let loss): session.disconnected(loss?.error)
            case .failed(let request): session.fail(request.error)
            case .report(let line): companions.notify(line)
            case .forget: companions.forget(self)
            case .send, .close, .refuse: break
            }
        }
    }

    private func wake(_ alarm: FollowState.Alarm, after seconds: TimeInterval) {
        let time = recorder.time
        Task { [weak self] in
            try? await time.sleep(until: time.now() + seconds)
            guard let self else { return }
            recorder.schedule { [self] in handle(.rang(alarm)) }
        }
    }

    /// Stops waiting for the primary.
    func expire() { recorder.schedule { [self] in handle(.expired) } }

    // MARK: How it stands

    var isOver: Bool { state.phase == .over }

    /// When the primary went away. Nil while it is connected.
    var lostSince: Date? { state.lostSince }

    /// The hashes of received data, by position among the log's data, so that no app of this process gets one twice.
    var taken: [Int] { state.taken }

    /// The date of this machine's clock.
    var wall: Date { recorder.time.wall() }

    /// Whether the primary's machine is connected at present.
    var isConnected: Bool { state.contact == .there }

    /// The name of the other machine.
    var peerName: String { state.peer }
}

/// A workout that another machine built and mirrored to this one.
enum MirroredWorkout {
    /// Saves the workout with its samples, unless it is stored already. Samples that only the other machine's store has
    /// (correlations, audiograms …) are not in the log, and stay there.
    static func save(_ state: SessionState, _ log: LiveSessionLog, id: UUID, to store: HKHealthStore) throws {
        try store.requireSharing([.workoutType()])
        guard try !store.database.knowsWorkout(id) else { return }
        try store.keep(
            .workout(try HKWorkout.of(state, id: id, device: nil), log: Present(log: log), adding: AddedSeries()))
    }

    /// The part of a log that is on this machine.
    private struct Present: SessionEntries {
        let log: LiveSessionLog

        var sensors: [SensorStatus] { log.sensors }

        func forEach(_ body: (SessionEntry) throws -> Void) throws {
            try log.forEach { entry in
                if case .object = entry.content { return }
                try body(entry)
            }
        }
    }
}
