package import Mirroring
package import Recordings

/// The primary's half of a mirrored session: what of its log goes to whom, and what is done for them. Pure; what the log is
/// read from, the channel and the clock are ``SessionMirror``'s, which does what the effects say, in their order.
///
///     mirroring ── complete, or stopped ──▶ delivering ── taken, or given up ──▶ over
///      │   │ ▲                                                                    ▲
///      │   │ └ opened: another log, or a channel in the place of a closed one     │
///      │   └──────── let go before its end ───────────────────────────────────────┘
///      └── every companion has ended it ──▶ dismissed
package struct MirrorState: Sendable {
    package enum Phase: Sendable, Equatable { case mirroring, delivering, dismissed, over }

    /// Whether a process that recovers the session continues the log with the same numbers.
    package enum Numbering: Sendable, Equatable {
        case lasting
        /// It may not: the log has a name that no other process gives it.
        case passing
        /// It was to last, and the journal lacks an entry: nothing more is said under the name that it has.
        case doubted
    }

    /// Whether a companion is there, as the app knows it.
    package enum Contact: Sendable, Equatable {
        case awaited, there
        /// Nobody is; the app does not know it yet. Counts up, so that an earlier alarm is not taken for this one's.
        case missing(Int)
        case lost
    }

    /// What happened.
    package enum Input: Sendable {
        /// A channel of this number is open for what the log holds so far; it takes the place of the one before.
        case opened(CrossingLog, Numbering, channel: Int)
        /// The log's last entry stands at this place. `isKept`: where there is a journal, its file has everything.
        case appended(SessionEntry, place: Int, isKept: Bool)
        /// `hasLinks`: whether the channel still leads, or may lead, to anybody.
        case received(MirrorEvent, channel: Int, hasLinks: Bool)
        /// Somebody waits for a companion to be there, under this number.
        case waits(Int, seconds: TimeInterval)
        case waitsNoMore(Int)
        case rang(Alarm)
        /// What the log holds now is all that companions get.
        case finished
        /// Whether every companion has it.
        case delivered(Bool)
        /// The log cannot be read, so that no channel could be opened.
        case failed
        /// Nobody holds the session any more. One that has ended is as complete as it gets.
        case abandoned
    }

    /// What was to be thought of after some time.
    package enum Alarm: Sendable, Equatable {
        case missing(Int)
        case waiting(Int)
        /// An ended session whose workout the app has not finished.
        case unfinished
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        case send([UInt8])
        /// To read the log again and open another channel for it; one that lasts, if it can and `lasting` is wanted.
        case open(Numbering)
        /// To be written into the log, unless the session has ended.
        case note(CompanionProgress)
        case grant(SessionEntry)
        case hand([Data])
        case refuse(PeerFingerprint, reason: String)
        /// Those who wait; nil: a companion is there.
        case answer([Int], MirrorUnavailability?)
        case wake(Alarm, seconds: TimeInterval)
        /// The app is to hear that nobody is there.
        case notify(MirrorUnavailability)
        case report(String)
        /// To finish the channel, and to say what came of it.
        case finish
        case close
        /// The recorder has nobody any more to tell of entries.
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
    /// Why those who are not there are not, by their names, or by the addresses where they are looked for.
    package internal(set) var reasons: [String: String] = [:]
    /// What those who are or were there are called.
    package internal(set) var names: [PeerFingerprint: String] = [:]
    /// How many entries the last greeting of each spoke of.
    var greeted: [PeerFingerprint: UInt64] = [:]
    /// Those that sent what cannot be read.
    var refused: Set<PeerFingerprint> = []
    var lines = SessionLogLines()
    private var channel = 0
    private var waiting: [Int] = []
    private var losses = 0
    private var encoder = SessionLogEncoder()
    private var latest: Date
    private let pace: SessionTimeline.Pace
    /// Others than those to whom it is mirrored lack something of the session.
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
        // The log says no more of them once the session has ended.
        companions.merge(crossing.companions) { here, _ in here }
        latest = max(latest, crossing.latest)
        guard isFirst, crossing.unreadable > 0 else { return [] }
        let lines = crossing.unreadable == 1 ? "1 line" : "\(crossing.unreadable) lines"
        return [.report("\(lines) of the session's journal cannot be read; other machines get an empty one instead")]
    }

    private mutating func appended(_ entry: SessionEntry, _ place: Int, _ isKept: Bool) -> [Effect] {
        // What cannot be encoded is in no journal either: the numbers stay the same.
        guard phase == .mirroring, (try? encoder.append(entry)) != nil else { return [] }
        let line = encoder.bytes
        encoder.removeAll()
        guard crossing.add(.entry(entry), line, at: place) else {
            guard line.count > MirrorLimits.entry else { return [] }
            return [.report("an entry of \(line.count) bytes is too large to be mirrored: other machines lack it")]
        }
        latest = max(latest, entry.date)
        var effects: [Effect] = []
        if numbering == .lasting, !isKept {
            // A process that recovers the session would number its entries otherwise.
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

    /// What a companion is told before the first entry that it lacks.
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

    /// What was done of each companion's requests: a channel goes on there.
    package var done: [PeerFingerprint: MirrorPosition] { companions.compactMapValues(\.done) }
}

// MARK: - Who is there

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
        // What was sent before it came was for others.
        guard companions[peer.fingerprint] == nil else { return effects }
        let missed = crossing.data.count { $0 <= greeted[peer.fingerprint] ?? 0 }
        return effects + note(peer) { $0.received = missed }
    }

    /// Nobody may come back in time. The mirroring goes on trying.
    private mutating func lost(_ peer: Peer, _ reason: String) -> [Effect] {
        reasons[peer.name] = reason
        guard connected.remove(peer.fingerprint) != nil, connected.isEmpty else { return [] }
        losses += 1
        contact = .missing(losses)
        return [.wake(.missing(losses), seconds: MirrorTimeouts.graceInSeconds)]
    }

    /// A companion has ended its part, or there is a newer link to it.
    private mutating func closed(_ peer: Peer?, _ closure: MirrorClosure, _ hasLinks: Bool) -> [Effect] {
        // Two addresses of one machine: the other link has it.
        if closure == .replaced, hasLinks { return [] }
        let wasAway = peer.map { !connected.contains($0.fingerprint) } ?? false
        if closure == .closedByPeer, wasAway, phase == .mirroring {
            // It closed this channel while it was away from here, such as for a later one of a process that was killed. Whoever
            // else follows goes over to the new one.
            return [.open(.lasting)]
        }
        let name = peer?.name ?? "a companion"
        let report = Effect.report("mirroring to \(name) has ended: \(closure.sentence)")
        guard hasLinks || phase == .delivering else { return [report] + dismissed(name, closure) }
        let effects = peer.map { lost($0, closure.sentence) } ?? []
        reasons[name] = closure.sentence
        return [report] + effects
    }

    /// Nobody is left: the session goes on by itself, until the app mirrors it again.
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

    /// Why nobody is there.
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
        // What could not be read was not delivered, whatever the channel says.
        guard phase == .delivering else { return [] }
        phase = .over
        // Otherwise it waits for the next process that mirrors to these machines.
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
