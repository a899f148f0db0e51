import Mirroring
import Recordings
import Synchronization

/// A session that runs on another machine, as it is here: takes in its log, and sends it wishes.
///
/// All of it happens on the recorder's queue, so that apps see entries, data and losses in one order. An app gets the
/// session once this machine is where the primary is: with the whole history, however late it joined.
final class MirroredSession: Sendable {
    /// A wish without a date is one for now: when it could not be sent for this long, it is not sent any more.
    static let staleInSeconds: TimeInterval = 10

    let id: UUID
    /// The machine on which it runs.
    let origin: PeerFingerprint
    let recorder: WorkoutRecorder
    /// The one that apps have. Held for as long as the mirroring may come back, so that it comes back to the same one.
    let session: HKWorkoutSession
    private let companions: Companions
    private let fingerprint: PeerFingerprint
    private let state: Mutex<State>

    private struct State {
        var channel: MirrorChannel?
        var peer: String
        var decoder = SessionLogDecoder()
        /// How many entries of the log are here.
        var count: UInt64 = 0
        /// How many there have to be before an app sees the session.
        var target: UInt64 = 0
        /// Up to which entry data has had its receiver before.
        var received: UInt64 = 0
        var isCaughtUp = false
        /// An app has the session.
        var isAnnounced = false
        /// The state that apps know, of a log that is void.
        var earlier: SessionState?
        var data: [Data] = []
        /// By number, wishes for now that the primary has not confirmed.
        var wishes: [UInt64: Wish] = [:]
        /// Counts connects and disconnects.
        var turn = 0
        var isConnected = false
        /// Since when the primary is away.
        var lostSince: Date?
        /// Apps were told that the other machine is gone.
        var isLost = false
        var isOver = false
    }

    private struct Wish {
        var content: SessionEntry.Content
        var date: Date
        /// It is not sent any more, and the app was told.
        var isDropped = false
    }

    init(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, to store: HKHealthStore,
        fingerprint: PeerFingerprint
    ) {
        id = greeting.session
        origin = peer.fingerprint
        companions = store.environment.companions
        self.fingerprint = fingerprint
        let time = store.environment.time
        recorder = WorkoutRecorder(
            following: header,
            clock: FollowedClock(pace: greeting.pace, date: greeting.now, wall: time.now()),
            logFolder: store.environment.journalFolder, time: time)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        state = Mutex(State(peer: peer.name))
        recorder.enqueue { [self] in $0.remote.mirrored = self }
    }

    /// The channel that answers an offer. One of before is closed.
    func channel(for id: UUID) -> MirrorChannel {
        let recorder = recorder
        let generation = UUID()
        let channel = MirrorChannel(
            id: id,
            source: .memory(log: generation, trimmed: true) { [weak self] in
                self?.isStale($0, of: id) == true ? Self.nothing : $1
            },
            delivery: .scheduled(by: { recorder.schedule($0) }) { [weak self] event in
                recorder.assumeIsolated { self?.handle(event, $0, of: id) }
            })
        let old = state.withLock { state in
            let old = state.channel
            state.channel = channel
            state.wishes = [:]
            return old
        }
        old?.close()
        return channel
    }

    /// A line that says nothing, in the place of a wish.
    private static let nothing: [UInt8] = [0x0A]

    // MARK: From the primary

    private func handle(_ event: MirrorEvent, _ recorder: isolated WorkoutRecorder, of channel: UUID) {
        guard state.withLock({ $0.channel?.id == channel && !$0.isOver }) else { return }
        switch event {
        case .connected(let peer): connected(peer)
        case .began(_, let greeting, _, _): began(greeting, recorder)
        case .entries(_, let lines, let first): take(lines, first, recorder)
        case .disconnected(_, let reason): disconnected(reason, recorder)
        case .ended: end(nil, recorder)
        case .closed(_, .replaced): break
        case .closed(let peer, let closure):
            end(
                HKError.make(
                    .errorHealthDataUnavailable,
                    "Mirroring from \(peer?.name ?? "the other machine") has ended: \(closure.sentence)."), recorder)
        case .acknowledged(_, let through): confirmed(through)
        case .waiting, .delivered: break
        }
    }

    private func connected(_ peer: Peer) {
        let isBack = state.withLock { state in
            state.turn += 1
            state.isConnected = true
            state.lostSince = nil
            state.peer = peer.name
            defer { state.isLost = false }
            return state.isLost && state.isAnnounced
        }
        if isBack { announce() }
    }

    /// The primary's log begins, or another one takes its place.
    private func began(_ bytes: [UInt8], _ recorder: isolated WorkoutRecorder) {
        guard let greeting = MirrorGreeting(bytes), greeting.session == id else {
            state.withLock { $0.channel }?.close()
            return end(
                HKError.make(
                    .errorHealthDataUnavailable,
                    "The other machine's session cannot be mirrored: it speaks another version. Install the same one there."
                ),
                recorder)
        }
        let known = recorder.state
        state.withLock { state in
            if state.isAnnounced, state.earlier == nil { state.earlier = known }
            state.count = 0
            state.target = greeting.count
            state.received = greeting.acknowledged[fingerprint.description] ?? greeting.count
            state.isCaughtUp = false
            state.decoder = SessionLogDecoder()
            state.data = []
        }
        recorder.beginAnew(
            clock: FollowedClock(pace: greeting.pace, date: greeting.now, wall: recorder.time.now()))
    }

    private func take(_ lines: [[UInt8]], _ first: UInt64, _ recorder: isolated WorkoutRecorder) {
        var live: [SessionEntry] = []
        var history: [SessionEntry] = []
        var data: [Data] = []
        let hasCaughtUp = state.withLock { state -> Bool in
            var entries: [SessionEntry] = []
            for (offset, line) in lines.enumerated() {
                entries.removeAll(keepingCapacity: true)
                try? state.decoder.decode(line, into: &entries)
                state.count = first + UInt64(offset)
                for entry in entries {
                    if case .remoteData(let bytes) = entry.content, state.count > state.received { data.append(bytes) }
                    if state.isCaughtUp || state.count > state.target {
                        live.append(entry)
                    } else {
                        history.append(entry)
                    }
                }
            }
            guard !state.isCaughtUp else { return false }
            state.data += data
            data = []
            state.isCaughtUp = state.count >= state.target
            return state.isCaughtUp
        }
        if !history.isEmpty { recorder.followSilently(history) }
        if hasCaughtUp {
            caughtUp(recorder)
            data = state.withLock { state in
                defer { state.data = [] }
                return state.data
            }
        }
        if live.contains(where: \.isRemoteData) {
            followInOrder(live, data, recorder)
        } else {
            recorder.received(data)
            recorder.follow(live)
        }
        // Before the primary hears that the entries are here: then it may forget them.
        if recorder.read({ $0.collection == .finished }) { companions.save(self, recorder) }
    }

    /// Entries with data among them: an app hears of both in the primary's order.
    private func followInOrder(_ entries: [SessionEntry], _ data: [Data], _ recorder: isolated WorkoutRecorder) {
        var earlier = data.dropLast(entries.count(where: \.isRemoteData)).map { $0 }
        var pending: [SessionEntry] = []
        for entry in entries {
            guard case .remoteData(let bytes) = entry.content else {
                recorder.received(earlier)
                earlier = []
                pending.append(entry)
                continue
            }
            recorder.follow(pending)
            pending = []
            recorder.followSilently([entry])
            earlier.append(bytes)
        }
        recorder.received(earlier)
        recorder.follow(pending)
    }

    private func caughtUp(_ recorder: isolated WorkoutRecorder) {
        let (isFirst, earlier) = state.withLock { state in
            let isFirst = !state.isAnnounced
            state.isAnnounced = true
            defer { state.earlier = nil }
            return (isFirst, state.earlier)
        }
        if let earlier { recorder.tellDifferences(from: earlier) }
        if isFirst { announce() }
    }

    /// An app may wait in its handler as in any other callback.
    private func announce() { recorder.tell { [companions, session] in companions.start(session) } }

    private func disconnected(_ reason: String, _ recorder: isolated WorkoutRecorder) {
        let time = recorder.time
        let turn = state.withLock { state in
            state.turn += 1
            state.isConnected = false
            state.lostSince = time.wall()
            return state.turn
        }
        companions.expireLostSessions(at: time.wall())
        Task { [weak self] in
            try? await time.sleep(until: time.now() + SessionMirror.graceInSeconds)
            guard let self else { return }
            recorder.enqueue { self.tellLoss(reason, $0, ifStill: turn) }
        }
    }

    private func tellLoss(_ reason: String, _ recorder: isolated WorkoutRecorder, ifStill turn: Int) {
        let peer = state.withLock { state -> String? in
            guard state.turn == turn, state.isAnnounced, !state.isOver, !state.isLost else { return nil }
            state.isLost = true
            return state.peer
        }
        guard let peer else { return }
        session.disconnected(
            HKError.make(
                .errorHealthDataUnavailable,
                "\(peer) is out of reach (\(reason)). This session goes on, with everything that was missed, as soon as it is "
                    + "back."))
    }

    private func end(_ error: HKError?, _ recorder: isolated WorkoutRecorder) {
        let isAnnounced = state.withLock { state in
            state.isOver = true
            state.channel = nil
            return state.isAnnounced
        }
        if isAnnounced { session.disconnected(error) }
        companions.forget(self)
    }

    /// Since when the primary is away; nil while it is there.
    var lostSince: Date? { state.withLock { $0.lostSince } }

    /// The primary is not waited for any longer. Should it come back, it begins a new session here.
    func expire() {
        recorder.enqueue { [self] recorder in
            let lost = state.withLock { state -> (channel: MirrorChannel, peer: String)? in
                guard state.lostSince != nil, !state.isOver else { return nil }
                return state.channel.map { ($0, state.peer) }
            }
            guard let lost else { return }
            lost.channel.close()
            end(
                HKError.make(
                    .errorHealthDataUnavailable,
                    "Mirroring from \(lost.peer) has ended: it was out of reach for too long. This session stays as it is; "
                        + "when the machine is back, the start handler gets another one."), recorder)
        }
    }

    // MARK: To the primary

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Sends an entry that the primary is to do, or data for its app. One that is out of reach gets it when it is back.
    func send(_ entry: SessionEntry, from session: HKWorkoutSession) throws {
        var encoder = SessionLogEncoder()
        try HKError.translating { try encoder.append(entry) }
        let now = recorder.time.now()
        state.withLock { state in
            guard !state.isOver, let number = state.channel?.append(encoder.bytes) else { return }
            if entry.date == .distantFuture { state.wishes[number] = Wish(content: entry.content, date: now) }
        }
    }

    private func confirmed(_ through: UInt64) {
        state.withLock { state in
            guard !state.wishes.isEmpty else { return }
            state.wishes = state.wishes.filter { $0.key > through }
        }
    }

    /// Whether it is too late for a wish that the primary does not have. On the network thread, when it would be sent again.
    private func isStale(_ number: UInt64, of channel: UUID) -> Bool {
        let now = recorder.time.now()
        let (isStale, dropped, peer) = state.withLock { state -> (Bool, Wish?, String) in
            guard state.channel?.id == channel, let wish = state.wishes[number] else { return (false, nil, "") }
            if wish.isDropped { return (true, nil, "") }
            guard now.timeIntervalSince(wish.date) > Self.staleInSeconds else { return (false, nil, "") }
            state.wishes[number]?.isDropped = true
            return (true, wish, state.peer)
        }
        guard let dropped else { return isStale }
        let error = HKError.make(
            .errorHealthDataUnavailable,
            "The session was to be \(dropped.content.participle), but \(peer) was out of reach; now, "
                + "\(Int(now.timeIntervalSince(dropped.date))) seconds later, it is not asked any more. Ask again if that is still wanted."
        )
        recorder.enqueue { $0.session?.fail(error) }
        return isStale
    }

    /// Whether the primary's machine is connected at present.
    var isConnected: Bool { state.withLock { $0.isConnected } }

    /// What the other machine is called.
    var peerName: String { state.withLock { $0.peer } }
}

extension SessionEntry {
    fileprivate var isRemoteData: Bool { if case .remoteData = content { true } else { false } }
}

extension SessionEntry.Content {
    /// What the session was to be, as a wish for now.
    fileprivate var participle: String {
        switch self {
        case .state(.prepared): "prepared"
        case .state(.running): "started"
        case .state(.ended): "ended"
        case .event(let event) where event.kind == .pause: "paused"
        case .event(let event) where event.kind == .resume: "resumed"
        default: "stopped"
        }
    }
}
