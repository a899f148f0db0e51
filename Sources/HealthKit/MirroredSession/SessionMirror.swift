import Mirroring
import Recordings
import Synchronization

/// Mirrors a session that runs here: its log, entry by entry, to every companion.
///
/// Hears of an entry once it is in the log: it is in the journal's file before it is sent, so a process that is killed and
/// recovered knows at least what the companions know. Each entry is encoded once, however many companions there are; one that
/// could not be sent as it came is read from the log when its turn is there, so that nothing is held for companions that are
/// away or slow. What crosses is the log without raw notifications, unless those are asked for; an entry's number on the way
/// is its place among those that cross.
package final class SessionMirror: Sendable {
    /// A link that is back within this time was never lost, as far as apps are concerned.
    static let graceInSeconds: TimeInterval = 2
    /// How long a session that is over is kept for companions that are away.
    package static let deliveryLimit = Duration.seconds(3_600)
    /// How long an ended session waits for an app that has not finished its workout. Whoever lets go of the session and its
    /// builder ends the waiting.
    static let finishingInSeconds = deliveryLimit / .seconds(1)

    let session: UUID
    private let includesNotifications: Bool
    private let log: SessionLog
    private var journal: SessionJournal? { log.journal }
    private let keepsJournal: Bool
    let host: MirrorHost
    let addresses: [Companions.Address]
    private let time: any TimeSource
    private let report: @Sendable (String) -> Void
    private weak let recorder: WorkoutRecorder?
    let state: Mutex<State>

    struct State {
        var channel: MirrorChannel?
        var encoder = SessionLogEncoder()
        var crossing: CrossingLog
        /// How many entries the last greeting spoke of.
        var greeted: UInt64 = 0
        var clock: (now: Date, pace: SessionTimeline.Pace)
        /// As the log says it, so that a process which recovers the session knows it, too.
        var companions: [PeerFingerprint: Companion] = [:]
        var connected: Set<PeerFingerprint> = []
        /// Why the companions that are not there are not.
        var reasons: [String: String] = [:]
        /// What those who are or were there are called.
        var names: [PeerFingerprint: String] = [:]
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var nextWaiting = 0
        /// The session's log is certain to be continued with the same numbers by a process that recovers it.
        var isCertain = true
        var delivery: Task<Bool, Never>?
        /// Told the app that nobody is there any more.
        var isLost = false
        /// Every companion has ended it: nobody is there whom it could wait for.
        var isDismissed = false
        var isOver = false
    }

    /// - Parameter channel: the first mirroring of a session has the session's UUID, so that a process which recovers the
    ///   session continues the same channel.
    init(
        of recorder: isolated WorkoutRecorder, includesNotifications: Bool, host: MirrorHost,
        addresses: [Companions.Address], keepsJournal: Bool = false, report: @escaping @Sendable (String) -> Void
    ) {
        session = recorder.id
        self.recorder = recorder
        self.includesNotifications = includesNotifications
        log = recorder.log
        self.host = host
        self.addresses = addresses
        self.keepsJournal = keepsJournal
        self.report = report
        time = recorder.time
        let nothing = CrossingLog(includesNotifications: includesNotifications)
        state = Mutex(State(crossing: nothing, clock: (recorder.now, recorder.pace)))
        journal?.writeThrough()
    }

    /// Sends what the log holds so far, and then each entry as it comes.
    func start(_ recorder: isolated WorkoutRecorder, channel id: UUID) throws {
        try begin(recorder, channel: id, log: certainLog)
        recorder.mirror = self
        noteAwaited(recorder)
    }

    private var certainLog: UUID? {
        journal.flatMap {
            $0.isBehind ? nil : LogIdentity.certain(for: session, includesNotifications: includesNotifications)
        }
    }

    private func begin(_ recorder: isolated WorkoutRecorder, channel id: UUID, log: UUID?) throws {
        let crossing = try CrossingLog(of: self.log, includesNotifications: includesNotifications)
        let channel = MirrorChannel(
            id: id,
            source: .kept(log: log ?? UUID(), count: crossing.count) { [weak self] number, bytes in
                guard let self else { return [] }
                return try state.withLock { $0.crossing }.lines(of: self.log, from: number, bytes: bytes)
            },
            greeting: { [weak self] in self?.greeting() ?? [] },
            received: crossing.companions.compactMapValues(\.done),
            delivery: .scheduled(by: { [weak recorder] work in recorder?.schedule(work) }) {
                [weak self, weak recorder] event in
                recorder?.assumeIsolated { self?.handle(event, $0, of: id) }
            })
        let old = state.withLock { state in
            let old = state.channel
            state.channel = channel
            state.crossing = crossing
            state.companions.merge(crossing.companions) { $1 }
            state.clock.now = max(state.clock.now, crossing.latest)
            state.isCertain = log != nil
            return old
        }
        old?.close()
        for address in addresses {
            channel.connect(
                to: address.address, expecting: address.fingerprint, accepting: address.accepted, through: host)
        }
    }

    // MARK: The log

    /// The last entry of the log.
    func append(_ entry: SessionEntry) {
        send(entry)
        if journal?.isBehind == true, state.withLock({ $0.isCertain }) {
            recorder?.schedule { [weak self] in self?.doubt() }
        }
    }

    private func send(_ entry: SessionEntry) {
        take(entry)
        if state.withLock({ $0.crossing.isComplete }) {
            deliver(within: Self.deliveryLimit)
        } else if case .state(.ended) = entry.content {
            later(Self.finishingInSeconds) { $0.deliver(within: Self.deliveryLimit) }
        }
    }

    private func take(_ entry: SessionEntry) {
        let place = log.count - 1
        state.withLock { state in
            // What cannot be encoded is in no journal either: the numbers stay the same.
            guard state.delivery == nil, (try? state.encoder.append(entry)) != nil else { return }
            let line = state.encoder.bytes
            state.encoder.removeAll()
            guard state.crossing.add(entry, line, at: place) else { return }
            state.channel?.append(line)
            state.clock.now = max(state.clock.now, entry.date)
            if case .companion(let progress) = entry.content, !progress.isAwaited,
                let peer = PeerFingerprint(progress.companion)
            {
                state.companions[peer] = state.crossing.companions[peer]
            }
        }
    }

    private func greeting() -> [UInt8] {
        let now = recorder?.now
        return state.withLock { state in
            state.greeted = state.crossing.count
            let data = state.crossing.data
            return MirrorGreeting(
                session: session, header: state.crossing.header, count: state.crossing.count,
                now: now ?? state.clock.now, pace: state.clock.pace,
                acknowledged: Dictionary(
                    uniqueKeysWithValues: state.companions.map { fingerprint, companion in
                        let pieces = min(companion.received, data.count)
                        return (fingerprint.description, pieces > 0 ? data[pieces - 1] : 0)
                    })
            ).bytes
        }
    }

    /// The journal cannot be written, so a process that recovers this session would number its entries otherwise: from here
    /// on the log is another one, and companions begin anew with it.
    private func doubt() {
        recorder?.assumeIsolated { recorder in
            guard state.withLock({ $0.isCertain && $0.delivery == nil && !$0.isOver }) else { return }
            beginAgain(recorder, log: nil)
        }
    }

    /// Another channel takes the place of the one there is.
    private func beginAgain(_ recorder: isolated WorkoutRecorder, log: UUID?) {
        do {
            try begin(recorder, channel: UUID(), log: log)
        } catch {
            recorder.session?.fail(HKError.wrapping(error))
        }
    }

    // MARK: Companions

    private func handle(_ event: MirrorEvent, _ recorder: isolated WorkoutRecorder, of channel: UUID) {
        // Of a channel that another one has replaced.
        guard state.withLock({ $0.channel?.id == channel }) else { return }
        switch event {
        case .connected(let peer):
            connected(peer, recorder)
        case .began(let peer, _, let log, _):
            state.withLock { $0.companions[peer.fingerprint]?.done = MirrorPosition(log: log, through: 0) }
        case .entries(let peer, let lines, let first):
            take(lines, first, of: peer, recorder)
        case .acknowledged(let peer, let through):
            acknowledged(through, by: peer, recorder)
        case .disconnected(let peer, let reason):
            lost(peer, reason)
        case .waiting(let address, let reason):
            state.withLock { $0.reasons[address.description] = reason }
        case .closed(let peer, let closure):
            closed(peer, closure, recorder)
        case .ended, .delivered:
            break
        }
    }

    /// A companion has ended its part, or there is a newer link to it.
    private func closed(_ peer: Peer?, _ closure: MirrorClosure, _ recorder: isolated WorkoutRecorder) {
        let (goesOn, wasAway, isDelivering) = state.withLock { state in
            (
                state.channel?.hasLinks == true, peer.map { !state.connected.contains($0.fingerprint) } ?? false,
                state.delivery != nil
            )
        }
        // Two addresses of one machine: the other link has it.
        if closure == .replaced, goesOn { return }
        if closure == .closedByPeer, wasAway, !goesOn, !isDelivering {
            // It closed this channel while it was away from here, such as for a later one of a process that was killed.
            return beginAgain(recorder, log: certainLog)
        }
        report("mirroring to \(peer?.name ?? "a companion") has ended: \(closure.sentence)")
        if goesOn || isDelivering {
            if let peer { lost(peer, closure.sentence) }
            state.withLock { $0.reasons[peer?.name ?? "the companion"] = closure.sentence }
        } else {
            dismissed(peer, closure, recorder)
        }
    }

    /// Nobody is left: the session goes on by itself, until the app mirrors it again.
    private func dismissed(_ peer: Peer?, _ closure: MirrorClosure, _ recorder: isolated WorkoutRecorder) {
        let waiting = state.withLock { state in
            state.reasons[peer?.name ?? "the companion"] = closure.sentence
            state.connected = []
            state.isDismissed = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        close()
        if recorder.mirror === self { recorder.mirror = nil }
        let error = absence
        for continuation in waiting.values { continuation.resume(throwing: error) }
        if waiting.isEmpty { recorder.session?.disconnected(error) }
    }

    private func lost(_ peer: Peer, _ reason: String) {
        let isAlone = state.withLock { state in
            state.reasons[peer.name] = reason
            return state.connected.remove(peer.fingerprint) != nil && state.connected.isEmpty
        }
        guard isAlone else { return }
        later(Self.graceInSeconds) { $0.tellLoss(reason) }
    }

    /// Nobody came back in time: the app hears of it. The mirroring goes on trying.
    private func tellLoss(_ reason: String) {
        let isLost = state.withLock { state in
            guard state.connected.isEmpty, !state.isLost, !state.isOver, state.delivery == nil else { return false }
            state.isLost = true
            return true
        }
        guard isLost else { return }
        recorder?.assumeIsolated {
            $0.session?.disconnected(
                HKError.make(
                    .errorHealthDataUnavailable,
                    "The other machine is out of reach (\(reason)). The session goes on and is mirrored again, with "
                        + "everything that was missed, as soon as it is back."))
        }
    }

    /// Does `body` on the recorder's queue after some seconds.
    private func later(_ seconds: TimeInterval, _ body: @escaping @Sendable (SessionMirror) -> Void) {
        let time = time
        Task { [weak self] in
            try? await time.sleep(until: time.now() + seconds)
            guard let self else { return }
            recorder?.schedule { body(self) }
        }
    }

    /// Returns when a companion is there; throws why none is after `limit`, or at once when the task is cancelled. Attempts go on.
    func waitForCompanion(within limit: TimeInterval) async throws {
        let timer = Mutex<Task<Void, Never>?>(nil)
        defer { timer.withLock { $0?.cancel() } }
        let number = state.withLock { state in
            state.nextWaiting += 1
            return state.nextWaiting
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer = state.withLock { state -> Result<Void, Absence>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if state.isDismissed { return .failure(.dismissed) }
                    guard state.connected.isEmpty else { return .success(()) }
                    state.waiting[number] = continuation
                    return nil
                }
                switch answer {
                case .success: return continuation.resume()
                case .failure(.cancelled): return continuation.resume(throwing: CancellationError())
                case .failure(.dismissed): return continuation.resume(throwing: absence)
                case nil: break
                }
                let time = time
                timer.withLock {
                    $0 = Task { [weak self] in
                        try? await time.sleep(until: time.now() + limit)
                        self?.giveUpWaiting(number, throwing: nil)
                    }
                }
            }
        } onCancel: {
            giveUpWaiting(number, throwing: CancellationError())
        }
    }

    /// Why nobody is waited for.
    private enum Absence: Error { case cancelled, dismissed }

    private func giveUpWaiting(_ number: Int, throwing error: (any Error)?) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: error ?? absence)
    }

    /// Why nobody is there, and what to do.
    private var absence: HKError {
        let (reasons, isDismissed) = state.withLock { ($0.reasons, $0.isDismissed) }
        let why =
            reasons.isEmpty
            ? addresses.map { "nothing answered at \($0.address)" }
            : reasons.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        return HKError.make(
            .errorHealthDataUnavailable,
            (isDismissed ? "The session is not mirrored any more: " : "The session cannot be mirrored: ")
                + why.joined(separator: "; ")
                + (isDismissed
                    ? ". It goes on here, and can be mirrored again once that is mended."
                    : ". Check that the other machine listens there and is paired."))
    }

    // MARK: The end

    /// The log is complete: companions get the rest of it, those that are away too if they are back within `limit`, counted
    /// from when something was last taken.
    ///
    /// - Returns: a task that says whether every companion has everything.
    @discardableResult
    func deliver(within limit: Duration) -> Task<Bool, Never>? {
        let waiting = state.withLock { state in
            if state.delivery == nil, let channel = state.channel, !state.isOver {
                // Holds on to itself until everybody has everything, whatever becomes of the session.
                state.delivery = Task { [self] in
                    let isDelivered = await channel.finish(within: limit)
                    close()
                    // Otherwise it waits for the next process that mirrors to these machines.
                    if isDelivered, !keepsJournal, self.state.withLock({ $0.crossing.isComplete }) { journal?.finish() }
                    return isDelivered
                }
            }
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values {
            continuation.resume(throwing: HKError.make(.errorInvalidArgument, "The mirroring was ended meanwhile."))
        }
        return state.withLock { $0.delivery }
    }

    /// Delivers, and waits for that until nothing was taken for as long as `limit`. Whether every companion has everything.
    func waitForDelivery(within limit: Duration) async -> Bool {
        let delivery = deliver(within: Self.deliveryLimit)
        if let channel = state.withLock({ $0.channel }), await !channel.finish(within: limit) { return false }
        // The journal is then gone, too.
        return await delivery?.value ?? !state.withLock { $0.isDismissed }
    }

    /// Nobody holds the session any more. One that has ended is as complete as it gets.
    func abandon() {
        let (isDelivering, hasEnded) = state.withLock { ($0.delivery != nil, $0.crossing.hasEnded) }
        guard !isDelivering else { return }
        if hasEnded { deliver(within: Self.deliveryLimit) } else { close() }
    }

    private func close() {
        let channel = state.withLock { state in
            state.isOver = true
            defer { state.channel = nil }
            return state.channel
        }
        channel?.close()
    }

    /// Whether what comes now is still sent, to somebody who is there or may come back.
    var isRunning: Bool { state.withLock { $0.delivery == nil && !$0.isOver && $0.channel?.hasLinks == true } }
}
