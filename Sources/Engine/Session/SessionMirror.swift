package import Foundation
import Mirroring
import SessionLog
import Synchronization

/// Mirrors a session that runs on this machine: sends its log, entry by entry, to every companion. Performs the effects
/// of ``MirrorState``.
///
/// An entry is in the journal's file before it is sent, so a process that is killed and recovered knows at least what
/// the companions know. Each entry is encoded once for all companions. If it can't be sent at once, it is read from the
/// log later, so nothing is kept in memory for slow or absent companions. Raw notifications are only sent if requested.
/// The number of an entry is its position among the sent entries.
package final class SessionMirror: Sendable {
    let session: UUID
    let host: MirrorHost
    let addresses: [CompanionAddress]
    private let includesNotifications: Bool
    private let log: LiveSessionLog
    private let time: any TimeSource
    private let report: @Sendable (String) -> Void
    private weak let recorder: WorkoutRecorder?
    private let held: Mutex<Held>

    private struct Held {
        var state: MirrorState
        var channel: MirrorChannel?
        /// The number of channels so far.
        var channels = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The number of waiting callers so far.
        var waits = 0
        var delivery: Task<Bool, Never>?
        /// The delivery ends if no companion accepts anything for this long.
        var limit = MirrorTimeouts.deliveryLimit
    }

    init(
        of recorder: isolated WorkoutRecorder, includesNotifications: Bool, host: MirrorHost,
        addresses: [CompanionAddress], keepsJournal: Bool = false, report: @escaping @Sendable (String) -> Void
    ) {
        session = recorder.id
        self.recorder = recorder
        self.includesNotifications = includesNotifications
        log = recorder.log
        self.host = host
        self.addresses = addresses
        self.report = report
        time = recorder.time
        let state = MirrorState(
            of: recorder.id, includesNotifications: includesNotifications, now: recorder.now, pace: recorder.pace,
            keepsJournal: keepsJournal)
        held = Mutex(Held(state: state))
        log.journal?.writeThrough()
    }

    /// Sends the log so far, then each new entry.
    ///
    /// - Parameter id: The channel's name. The first mirroring of a session uses the session's UUID, so that a process
    ///   that recovers the session continues the same channel.
    func start(_ recorder: isolated WorkoutRecorder, channel id: UUID) throws {
        try open(.lasting, channel: id)
        recorder.mirror = self
        noteAwaited(recorder)
    }

    /// The current state.
    var state: MirrorState { held.withLock { $0.state } }

    // MARK: The channel

    /// Replaces the channel. The log gets a lasting name if that is requested and the journal's file has all entries.
    private func open(_ numbering: MirrorState.Numbering, channel id: UUID) throws {
        let crossing = try CrossingLog(of: log, includesNotifications: includesNotifications)
        let isKept = log.journal.map { !$0.isBehind } ?? false
        let name =
            numbering == .lasting && isKept
            ? LogIdentity.certain(for: session, includesNotifications: includesNotifications) : nil
        let (effects, channel, old) = held.withLock { held in
            held.channels += 1
            let number = held.channels
            let effects = held.state.handle(.opened(crossing, name == nil ? .passing : .lasting, channel: number))
            perform(effects, &held)
            let channel = MirrorChannel(
                id: id,
                source: .kept(log: name ?? UUID(), count: crossing.count) { [weak self] number, bytes in
                    guard let self else { return [] }
                    return try state.crossing.lines(of: log, from: number, bytes: bytes)
                },
                greeting: { [weak self] in self?.greeting(for: $0) ?? [] },
                received: held.state.done,
                delivery: .scheduled(by: { [weak recorder] work in recorder?.schedule(work) }) { [weak self] event in
                    self?.handle(event, on: number)
                })
            let old = held.channel
            held.channel = channel
            return (effects, channel, old)
        }
        old?.close(isReplaced: true)
        for effect in effects { perform(effect) }
        for address in addresses {
            channel.connect(
                to: address.address, expecting: address.fingerprint, accepting: address.accepted, through: host)
        }
    }

    private func greeting(for peer: PeerFingerprint) -> [UInt8] {
        let now = recorder?.now
        return held.withLock { $0.state.greeting(for: peer, now: now) }.bytes
    }

    private func handle(_ event: MirrorEvent, on channel: Int) {
        let hasLinks = held.withLock { $0.channel }?.hasLinks == true
        handle(.received(event, channel: channel, hasLinks: hasLinks))
    }

    /// Sends the last entry of the log. Runs on the recorder's queue.
    func append(_ entry: SessionEntry) {
        handle(.appended(entry, place: log.count - 1, isKept: log.journal?.isBehind != true))
    }

    // MARK: Effects

    private func handle(_ input: MirrorState.Input) {
        let effects = held.withLock { held in
            let effects = held.state.handle(input)
            perform(effects, &held)
            return effects
        }
        for effect in effects { perform(effect) }
    }

    /// Performs effects. Those on the channel keep the order of the inputs from all threads.
    private func perform(_ effects: [MirrorState.Effect], _ held: inout Held) {
        for effect in effects {
            switch effect {
            case .send(let line): held.channel?.append(line)
            case .close:
                held.channel?.close()
                held.channel = nil
            default: break
            }
        }
    }

    private func perform(_ effect: MirrorState.Effect) {
        switch effect {
        case .send, .close: break
        case .open(let numbering):
            do { try open(numbering, channel: UUID()) } catch {
                onQueue { $0.session?.notify(.failed(error)) }
                handle(.failed)
            }
        case .note(let progress): onQueue { $0.note(progress) }
        case .grant(let request): onQueue { $0.grant(request) }
        case .hand(let data): onQueue { $0.received(data) }
        case .refuse(let peer, let reason): held.withLock { $0.channel }?.refuse(peer, reason: reason)
        case .answer(let numbers, let absence): answer(numbers, absence)
        case .wake(let alarm, let seconds): wake(alarm, after: seconds)
        case .notify(let absence):
            let error = absence.error(lookedForAt: addresses)
            onQueue { $0.session?.notify(.disconnected(error)) }
        case .report(let line): report(line)
        case .finish: finish()
        case .detach: onQueue { if $0.mirror === self { $0.mirror = nil } }
        case .removeJournal: log.journal?.finish()
        }
    }

    /// Runs `body` on the recorder's queue, from which the inputs of such an effect come.
    private func onQueue(_ body: @Sendable (isolated WorkoutRecorder) -> Void) {
        recorder?.assumeIsolated { body($0) }
    }

    private func wake(_ alarm: MirrorState.Alarm, after seconds: TimeInterval) {
        let time = time
        Task { [weak self] in
            try? await time.sleep(until: time.now() + seconds)
            guard let self else { return }
            // Waiting callers are resumed even while an app blocks the queue.
            if case .waiting = alarm { return handle(.rang(alarm)) }
            recorder?.schedule { self.handle(.rang(alarm)) }
        }
    }

    // MARK: Waiting for a companion

    /// Returns when a companion is connected. Throws the reason after `limit`, or when the task is cancelled. Attempts continue.
    package func waitForCompanion(within limit: TimeInterval) async throws {
        let number = held.withLock { held in
            held.waits += 1
            return held.waits
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                held.withLock { $0.waiting[number] = continuation }
                if Task.isCancelled { return giveUp(number) }
                handle(.waits(number, seconds: limit))
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        held.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        handle(.waitsNoMore(number))
    }

    private func answer(_ numbers: [Int], _ absence: MirrorUnavailability?) {
        for number in numbers {
            let continuation = held.withLock { $0.waiting.removeValue(forKey: number) }
            if let absence {
                continuation?.resume(throwing: absence.error(lookedForAt: addresses))
            } else {
                continuation?.resume()
            }
        }
    }

    // MARK: The end

    /// Delivers the rest of a complete log, also to companions that are back within `limit` after the last accepted
    /// entry.
    ///
    /// - Returns: A task whose value is whether every companion has everything. Nil if the mirroring was over before.
    @discardableResult
    package func deliver(within limit: Duration) -> Task<Bool, Never>? {
        held.withLock { if $0.delivery == nil { $0.limit = limit } }
        handle(.finished)
        return held.withLock { $0.delivery }
    }

    /// Keeps itself alive until every companion has everything, even if the session is released.
    private func finish() {
        held.withLock { held in
            let (channel, limit) = (held.channel, held.limit)
            held.delivery = Task { [self] in
                let isDelivered = await channel?.finish(within: limit) ?? false
                handle(.delivered(isDelivered))
                return isDelivered
            }
        }
    }

    /// Delivers the rest, until no companion accepts anything for `limit`. Returns whether every companion has everything.
    package func waitForDelivery(within limit: Duration) async -> Bool {
        deliver(within: MirrorTimeouts.deliveryLimit)
        if let channel = held.withLock({ $0.channel }), await !channel.finish(within: limit) { return false }
        // The journal is removed by then, too.
        return await held.withLock { $0.delivery }?.value ?? (state.phase != .dismissed)
    }

    /// Called when the app has released the session.
    package func abandon() { handle(.abandoned) }

    /// Whether new entries are still sent to a companion that is connected or may come back.
    package var isRunning: Bool {
        let (phase, channel) = held.withLock { ($0.state.phase, $0.channel) }
        return phase == .mirroring && channel?.hasLinks == true
    }
}

/// The names of logs, so that entries with the same number are not confused.
enum LogIdentity {
    /// Returns the name of a session's log in every process that continues it from its journal, or nil if there is
    /// none.
    ///
    /// Data written with `write` survives the process, but not a loss of power: then the file may lack entries that
    /// companions have. So the name is valid until the machine restarts (`boot_id`, random(4)). With raw notifications
    /// the numbers differ, so the name does too.
    static func certain(for session: UUID, includesNotifications: Bool) -> UUID? {
        guard let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let boot = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return nil }
        let kind: UInt8 = includesNotifications ? 0xFF : 0
        let bytes = zip(session.bytes, boot.bytes).map { $0 ^ $1 ^ kind }
        return bytes.withUnsafeBytes { UUID(bytes: $0) }
    }
}

/// Whether a companion of a session is connected.
package struct CompanionPresence: Sendable, Equatable {
    package var name: String
    package var isConnected: Bool
    /// Why it is not connected, if known.
    package var reason: String?
}

extension SessionMirror {
    /// The machines that are or were connected, sorted by name. Before any connection, the addresses that are tried.
    package var standings: [CompanionPresence] {
        let state = state
        let met = state.names.map { fingerprint, name in
            CompanionPresence(
                name: name, isConnected: state.connected.contains(fingerprint), reason: state.reasons[name])
        }
        guard met.isEmpty else { return met.sorted { $0.name < $1.name } }
        return addresses.map {
            let address = $0.address.description
            return CompanionPresence(name: address, isConnected: false, reason: state.reasons[address])
        }
    }

    /// Logs the machines that the session is begun for. A process that delivers the rest later only delivers to them.
    func noteAwaited(_ recorder: isolated WorkoutRecorder) {
        for address in addresses {
            let fingerprint = address.fingerprint ?? (try? host.peers.peer(at: address.address))?.fingerprint
            let name = fingerprint?.description ?? address.address.description
            if !state.crossing.awaited.contains(name) { recorder.note(.awaited(name)) }
        }
    }
}

extension WorkoutRecorder {
    /// Logs the position of a companion.
    func note(_ progress: CompanionProgress) {
        // Nothing follows the end of a session.
        guard read({ $0.phase != .ended }) else { return }
        // It contains nothing about the workout. It has the last date of the log, because the last date of a log may be
        // read as its end.
        append(.companion(progress), at: log.lastDate ?? now)
    }
}
