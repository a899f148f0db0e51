package import Foundation
package import Mirroring
package import SessionLog

/// The primary's side of a mirrored session: it decides which entries each companion gets, and which requests are
/// carried out. Pure. ``SessionMirror`` has the log, the channel and the clock, and performs the effects in their
/// order.
///
///     mirroring ── complete, or stopped ──▶ delivering ── accepted, or given up ──▶ over
///      │   │ ▲                                                                       ▲
///      │   │ └ opened: another log, or a channel that replaces a closed one          │
///      │   └──────── released before its end ────────────────────────────────────────┘
///      └── every companion has ended it ──▶ dismissed
package struct MirrorState: Sendable {
    package enum Phase: Sendable, Equatable { case mirroring, delivering, dismissed, over }

    /// Whether a process that recovers the session would continue the log with the same numbers.
    package enum Numbering: Sendable, Equatable {
        case lasting
        /// Not necessarily: the log has a name that no other process uses.
        case passing
        /// No longer, because the journal lacks an entry. Nothing more is sent under the log's name.
        case doubted
    }

    /// Whether a companion is connected, as the app knows it.
    package enum Contact: Sendable, Equatable {
        case awaited, there
        /// No companion is connected, but the app is not notified yet. The number distinguishes this alarm from earlier
        /// ones.
        case missing(Int)
        case lost
    }

    /// An input.
    package enum Input: Sendable {
        /// A channel with this number is open for the log so far. It replaces the earlier one.
        case opened(CrossingLog, Numbering, channel: Int)
        /// The position of the log's last entry. `isKept`: the journal's file, if there is one, has all entries.
        case appended(SessionEntry, place: Int, isKept: Bool)
        /// `hasLinks`: whether the channel has or may get a connection.
        case received(MirrorEvent, channel: Int, hasLinks: Bool)
        /// A caller with this number waits for a companion.
        case waits(Int, seconds: TimeInterval)
        case waitsNoMore(Int)
        case rang(Alarm)
        /// The log is complete: companions get nothing more.
        case finished
        /// Whether every companion has everything.
        case delivered(Bool)
        /// The log can't be read, so no channel could be opened.
        case failed
        /// The app has released the session. An ended session gets no more entries.
        case abandoned
    }

    /// An alarm that was set earlier.
    package enum Alarm: Sendable, Equatable {
        case missing(Int)
        case waiting(Int)
        /// An ended session whose workout the app has not finished.
        case unfinished
    }

    /// An effect to perform.
    package enum Effect: Sendable, Equatable {
        case send([UInt8])
        /// Read the log again and open another channel for it; with a lasting name, if possible and `lasting` is true.
        case open(Numbering)
        /// Write this into the log, unless the session has ended.
        case note(CompanionProgress)
        case grant(SessionEntry)
        case hand([Data])
        case refuse(PeerFingerprint, reason: String)
        /// Resume waiting callers. Nil if a companion is connected.
        case answer([Int], MirrorUnavailability?)
        case wake(Alarm, seconds: TimeInterval)
        /// Notify the app that no companion is connected.
        case notify(MirrorUnavailability)
        case report(String)
        /// Finish the channel, and report the outcome.
        case finish
        case close
        /// The recorder need no longer notify the mirror.
        case detach
        case removeJournal
    }

    package let session: UUID
    package private(set) var phase = Phase.mirroring
    package private(set) var numbering = Numbering.passing
    package internal(set) var contact = Contact.awaited
    package internal(set) var crossing: CrossingLog
    package internal(set) var companions: [PeerFingerprint: CompanionPosition] = [:]
    package internal(set) var connected: Set<PeerFingerprint> = []
    /// Why companions are not connected, by name, or by the address that is tried.
    package internal(set) var reasons: [String: String] = [:]
    /// The names of companions that are or were connected.
    package internal(set) var names: [PeerFingerprint: String] = [:]
    /// The number of entries in the last greeting to each companion.
    var greeted: [PeerFingerprint: UInt64] = [:]
    /// Companions that sent unreadable lines.
    var refused: Set<PeerFingerprint> = []
    var lines = SessionLogLines()
    private var channel = 0
    private var waiting: [Int] = []
    private var losses = 0
    private var encoder = SessionLogEncoder()
    private var latest: Date
    private let pace: SessionTimeline.Pace
    /// Whether machines other than the current companions lack entries of the session.
    private let keepsJournal: Bool

    package init(
        of session: UUID, includesNotifications: Bool, now: Date, pace: SessionTimeline.Pace, keepsJournal: Bool = false
    ) {
        self.session = session
        self.pace = pace
        self.keepsJournal = keepsJournal
        crossing = CrossingLog(includesNotifications: includesNotifications)
        latest = now
    }

    package mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let crossing, let numbering, let channel):
            self.channel = channel
            return opened(crossing, numbering)
        case .appended(let entry, let place, let isKept): return appended(entry, place, isKept)
        case .received(let event, let channel, let hasLinks):
            guard channel == self.channel, phase == .mirroring || phase == .delivering else { return [] }
            return handle(event, hasLinks)
        case .waits(let number, let seconds): return waits(number, seconds)
        case .waitsNoMore(let number): return answer(number)
        case .rang(let alarm): return rang(alarm)
        case .finished: return finish()
        case .delivered(let isEverything): return delivered(isEverything)
        case .failed: return fail()
        case .abandoned: return abandon()
        }
    }
}

// MARK: - The log

extension MirrorState {
    private mutating func opened(_ crossing: CrossingLog, _ numbering: Numbering) -> [Effect] {
        let isFirst = self.crossing.count == 0
        self.crossing = crossing
        self.numbering = numbering
        refused = []
        greeted = [:]
        // Positions are not logged once the session has ended.
        companions.merge(crossing.companions) { here, _ in here }
        latest = max(latest, crossing.latest)
        guard isFirst, crossing.unreadable > 0 else { return [] }
        let lines = crossing.unreadable == 1 ? "1 line" : "\(crossing.unreadable) lines"
        return [.report("\(lines) of the session's journal cannot be read; other machines get an empty one instead")]
    }

    private mutating func appended(_ entry: SessionEntry, _ place: Int, _ isKept: Bool) -> [Effect] {
        // An entry that can't be encoded is not in the journal either, so numbers stay the same.
        guard phase == .mirroring, (try? encoder.append(entry)) != nil else { return [] }
        let line = encoder.bytes
        encoder.removeAll()
        guard crossing.add(.entry(entry), line, at: place) else {
            guard line.count > MirrorLimits.entry else { return [] }
            return [.report("an entry of \(line.count) bytes is too large to be mirrored, so other machines lack it")]
        }
        latest = max(latest, entry.date)
        var effects: [Effect] = []
        if numbering == .lasting, !isKept {
            // A process that recovers the session would use other numbers.
            numbering = .doubted
            effects.append(.open(.passing))
        } else if numbering != .doubted {
            effects.append(.send(line))
        }
        if crossing.isComplete {
            effects += finish()
        } else if case .state(.ended) = entry.content {
            effects.append(.wake(.unfinished, seconds: MirrorTimeouts.finishingInSeconds))
        }
        return effects
    }

    /// Returns the greeting that a companion gets before the first entry that it lacks.
    package mutating func greeting(for peer: PeerFingerprint, now: Date?) -> MirrorGreeting {
        greeted[peer] = crossing.count
        let data = crossing.data
        return MirrorGreeting(
            session: session, header: crossing.header, count: crossing.count, now: now ?? latest, pace: pace,
            acknowledged: Dictionary(
                uniqueKeysWithValues: companions.map { fingerprint, companion in
                    let pieces = min(companion.received, data.count)
                    return (fingerprint.description, pieces > 0 ? data[pieces - 1] : 0)
                }))
    }

    /// The position of each companion's requests, where a new channel continues.
    package var done: [PeerFingerprint: MirrorPosition] { companions.compactMapValues(\.done) }
}

// MARK: - Presence

extension MirrorState {
    private mutating func handle(_ event: MirrorEvent, _ hasLinks: Bool) -> [Effect] {
        switch event {
        case .connected(let peer): return connected(peer)
        case .began(let peer, _, let log, _):
            companions[peer.fingerprint]?.done = MirrorPosition(log: log, through: 0)
        case .entries(let peer, let lines, let first): return receive(lines, first, of: peer)
        case .acknowledged(let peer, let through): return acknowledged(through, by: peer)
        case .disconnected(let peer, let reason): return lost(peer, reason)
        case .waiting(let address, let reason): reasons[address.description] = reason
        case .closed(let peer, let closure): return closed(peer, closure, hasLinks)
        case .ended, .delivered: break
        }
        return []
    }

    private mutating func connected(_ peer: Peer) -> [Effect] {
        connected.insert(peer.fingerprint)
        names[peer.fingerprint] = peer.name
        contact = .there
        reasons = [:]
        let effects = answer(nil)
        // Earlier data was for other companions.
        guard companions[peer.fingerprint] == nil else { return effects }
        let missed = crossing.data.count { $0 <= greeted[peer.fingerprint] ?? 0 }
        return effects + note(peer) { $0.received = missed }
    }

    /// Handles a loss after the time limit: no companion came back. The mirroring keeps trying.
    private mutating func lost(_ peer: Peer, _ reason: String) -> [Effect] {
        reasons[peer.name] = reason
        guard connected.remove(peer.fingerprint) != nil, connected.isEmpty else { return [] }
        losses += 1
        contact = .missing(losses)
        return [.wake(.missing(losses), seconds: MirrorTimeouts.graceInSeconds)]
    }

    /// Handles a companion that has ended the mirroring, or has a newer link.
    private mutating func closed(_ peer: Peer?, _ closure: MirrorClosure, _ hasLinks: Bool) -> [Effect] {
        // Two addresses of one machine: the other link is used.
        if closure == .replaced, hasLinks { return [] }
        let wasAway = peer.map { !connected.contains($0.fingerprint) } ?? false
        if closure == .closedByPeer, wasAway, phase == .mirroring {
            // It closed this channel while disconnected, for example to open a later one after its process was killed.
            // Other companions move to the new channel.
            return [.open(.lasting)]
        }
        let name = peer?.name ?? "a companion"
        let report = Effect.report("mirroring to \(name) has ended: \(closure.sentence)")
        guard hasLinks || phase == .delivering else { return [report] + dismissed(name, closure) }
        let effects = peer.map { lost($0, closure.sentence) } ?? []
        reasons[name] = closure.sentence
        return [report] + effects
    }

    /// Handles that no companion is left: the session continues alone until the app mirrors it again.
    private mutating func dismissed(_ name: String, _ closure: MirrorClosure) -> [Effect] {
        reasons[name] = closure.sentence
        connected = []
        contact = .lost
        phase = .dismissed
        let answers = answer(absence)
        return [.close, .detach] + (answers.isEmpty ? [.notify(absence)] : answers)
    }

    private mutating func waits(_ number: Int, _ seconds: TimeInterval) -> [Effect] {
        switch phase {
        case .dismissed, .over, .delivering: return [.answer([number], absence)]
        case .mirroring:
            guard connected.isEmpty else { return [.answer([number], nil)] }
            waiting.append(number)
            return [.wake(.waiting(number), seconds: seconds)]
        }
    }

    private mutating func answer(_ number: Int) -> [Effect] {
        guard let index = waiting.firstIndex(of: number) else { return [] }
        waiting.remove(at: index)
        return [.answer([number], absence)]
    }

    private mutating func answer(_ absence: MirrorUnavailability?) -> [Effect] {
        defer { waiting = [] }
        return waiting.isEmpty ? [] : [.answer(waiting, absence)]
    }

    /// Why no companion is connected.
    package var absence: MirrorUnavailability {
        switch phase {
        case .mirroring: .notFound(reasons)
        case .dismissed: .dismissed(reasons)
        case .delivering, .over: .ended
        }
    }
}

// MARK: - Time, and the end

extension MirrorState {
    private mutating func rang(_ alarm: Alarm) -> [Effect] {
        switch alarm {
        case .missing(let loss):
            guard contact == .missing(loss), phase == .mirroring else { return [] }
            contact = .lost
            return [.notify(.outOfReach(reasons))]
        case .waiting(let number): return answer(number)
        case .unfinished: return finish()
        }
    }

    private mutating func finish() -> [Effect] {
        guard phase == .mirroring else { return [] }
        phase = .delivering
        return [.finish] + answer(absence)
    }

    private mutating func delivered(_ isEverything: Bool) -> [Effect] {
        // Unreadable entries were not delivered, whatever the channel reports.
        guard phase == .delivering else { return [] }
        phase = .over
        // Otherwise the session waits for the next process that mirrors to these machines.
        return [.close] + (isEverything && !keepsJournal && crossing.isComplete ? [.removeJournal] : [])
    }

    private mutating func fail() -> [Effect] {
        guard phase == .mirroring || phase == .delivering else { return [] }
        phase = .over
        return [.close, .detach] + answer(absence)
    }

    private mutating func abandon() -> [Effect] {
        guard phase == .mirroring else { return [] }
        if crossing.hasEnded { return finish() }
        phase = .over
        return [.close] + answer(absence)
    }
}
