import Mirroring
import Recordings
import Synchronization

/// Mirrors a session that runs here: its log, entry by entry, to every companion. Does what ``MirrorState`` says.
///
/// Hears of an entry once it is in the log: it is in the journal's file before it is sent, so a process that is killed and
/// recovered knows at least what the companions know. Each entry is encoded once, however many companions there are; one that
/// could not be sent as it came is read from the log when its turn is there, so that nothing is held for companions that are
/// away or slow. What crosses is the log without raw notifications, unless those are asked for; an entry's number on the way
/// is its place among those that cross.
package final class SessionMirror: Sendable {
    let session: UUID
    let host: MirrorHost
    let addresses: [CompanionAddress]
    private let includesNotifications: Bool
    private let log: SessionLog
    private let time: any TimeSource
    private let report: @Sendable (String) -> Void
    private weak let recorder: WorkoutRecorder?
    private let held: Mutex<Held>

    private struct Held {
        var state: MirrorState
        var channel: MirrorChannel?
        /// Counts channels.
        var channels = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Counts those who wait.
        var waits = 0
        var delivery: Task<Bool, Never>?
        /// How long nothing may be taken before the delivery is given up.
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

    /// Sends what the log holds so far, and then each entry as it comes.
    ///
    /// - Parameter id: of the channel. The first mirroring of a session has the session's UUID, so that a process which recovers
    ///   the session continues the same channel.
    func start(_ recorder: isolated WorkoutRecorder, channel id: UUID) throws {
        try open(.lasting, channel: id)
        recorder.mirror = self
        noteAwaited(recorder)
    }

    /// What is known of it, at this moment.
    var state: MirrorState { held.withLock { $0.state } }

    // MARK: The channel

    /// Another channel takes the place of the one there is. What the log holds crosses under a name that lasts, where that is
    /// wanted and the journal's file has everything.
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

    /// The last entry of the log, on the recorder's queue.
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

    /// What concerns the channel keeps the order of the inputs, whichever threads they come on.
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
                onQueue { $0.session?.fail(HKError.wrapping(error)) }
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
            onQueue { $0.session?.disconnected(error) }
        case .report(let line): report(line)
        case .finish: finish()
        case .detach: onQueue { if $0.mirror === self { $0.mirror = nil } }
        case .removeJournal: log.journal?.finish()
        }
    }

    /// What such an effect follows from happened on the recorder's queue.
    private func onQueue(_ body: @Sendable (isolated WorkoutRecorder) -> Void) {
        recorder?.assumeIsolated { body($0) }
    }

    private func wake(_ alarm: MirrorState.Alarm, after seconds: TimeInterval) {
        let time = time
        Task { [weak self] in
            try? await time.sleep(until: time.now() + seconds)
            guard let self else { return }
            // Who waits is answered even while an app keeps the queue.
            if case .waiting = alarm { return handle(.rang(alarm)) }
            recorder?.schedule { self.handle(.rang(alarm)) }
        }
    }

    // MARK: Waiting for a companion

    /// Returns when a companion is there; throws why none is after `limit`, or at once when the task is cancelled. Attempts go on.
    func waitForCompanion(within limit: TimeInterval) async throws {
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

    /// The log is complete: companions get the rest of it, those that are away too if they are back within `limit`, counted
    /// from when something was last taken.
    ///
    /// - Returns: a task that says whether every companion has everything; nil where the mirroring was over before.
    @discardableResult
    func deliver(within limit: Duration) -> Task<Bool, Never>? {
        held.withLock { if $0.delivery == nil { $0.limit = limit } }
        handle(.finished)
        return held.withLock { $0.delivery }
    }

    /// Holds on to itself until everybody has everything, whatever becomes of the session.
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

    /// Delivers, and waits for that until nothing was taken for as long as `limit`. Whether every companion has everything.
    func waitForDelivery(within limit: Duration) async -> Bool {
        deliver(within: MirrorTimeouts.deliveryLimit)
        if let channel = held.withLock({ $0.channel }), await !channel.finish(within: limit) { return false }
        // The journal is then gone, too.
        return await held.withLock { $0.delivery }?.value ?? (state.phase != .dismissed)
    }

    /// Nobody holds the session any more.
    func abandon() { handle(.abandoned) }

    /// Whether what comes now is still sent, to somebody who is there or may come back.
    var isRunning: Bool {
        let (phase, channel) = held.withLock { ($0.state.phase, $0.channel) }
        return phase == .mirroring && channel?.hasLinks == true
    }
}

/// Names logs, so that nobody takes an entry for another one of the same number.
enum LogIdentity {
    /// The name that a session's log has in every process that continues it from its journal; nil where that cannot be said.
    ///
    /// A journal that is written with `write` survives the process, not the machine: after a loss of power the file may lack
    /// entries that companions have. So the name holds as long as the machine runs (`boot_id`, random(4)). A log with raw
    /// notifications numbers its entries otherwise than one without, and has another name.
    static func certain(for session: UUID, includesNotifications: Bool) -> UUID? {
        guard let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let boot = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return nil }
        let kind: UInt8 = includesNotifications ? 0xFF : 0
        let bytes = zip(session.bytes, boot.bytes).map { $0 ^ $1 ^ kind }
        return bytes.withUnsafeBytes { UUID(bytes: $0) }
    }
}

/// Whether a machine to which a session is mirrored is there.
package struct CompanionPresence: Sendable, Equatable {
    package var name: String
    package var isConnected: Bool
    /// Why it is not, where that is known.
    package var reason: String?
}

extension SessionMirror {
    /// The machines that are or were there, ordered by name; before any was, the addresses where one is looked for.
    var standings: [CompanionPresence] {
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

    /// Says in the log for whom the session is begun: a process that delivers the rest of it delivers it to nobody else.
    func noteAwaited(_ recorder: isolated WorkoutRecorder) {
        for address in addresses {
            let fingerprint = address.fingerprint ?? (try? host.peers.peer(at: address.address))?.fingerprint
            let name = fingerprint?.description ?? address.address.description
            if !state.crossing.awaited.contains(name) { recorder.note(.awaited(name)) }
        }
    }
}

extension WorkoutRecorder {
    /// Says in the log how far a companion is.
    func note(_ progress: CompanionProgress) {
        // Nothing follows the end of a session.
        guard read({ $0.phase != .ended }) else { return }
        // Says nothing of the workout, so whoever takes the last date of a log for its end finds the one of before.
        append(.companion(progress), at: log.lastDate ?? now)
    }
}
