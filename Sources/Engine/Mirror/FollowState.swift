package import Foundation
package import Mirroring
package import SessionLog

/// The companion's side of a mirrored session: it decides which entries of the primary's log the app sees, and which
/// requests are sent. Pure. ``FollowedSession`` has the log, the channel and the clock, and performs the effects in
/// their order.
///
///     catchingUp ── all entries of the greeting are here ──▶ live ── ended, or no longer waited for ──▶ over
///         ▲ └───────────── an unreadable line ──────────────│────────────────────────────────────────────▲
///         └───────────── the log begins anew ───────────────┘
///
/// The app gets the session once this machine has all entries of the primary, with the whole history, however late it
/// joined.
package struct FollowState: Sendable {
    package enum Phase: Sendable, Equatable {
        /// The number of entries that are needed before the app gets the session, or gets it again.
        case catchingUp(target: UInt64)
        case live
        case over
    }

    /// Whether the primary is connected, as apps know it.
    package enum Contact: Sendable, Equatable {
        case there
        /// It is away, but apps are not notified yet. The number distinguishes this alarm from earlier ones.
        case missing(Int, since: Date)
        case lost(since: Date)
    }

    /// An input.
    package enum Input: Sendable {
        /// A channel with this number answers an offer of the primary, and replaces an earlier one. `arrival` is the number of the offer's
        /// connection.
        case answered(channel: Int, arrival: Int)
        /// `wall` is the date of this machine's clock.
        case received(MirrorEvent, channel: Int, wall: Date)
        case rang(Alarm)
        /// Stop waiting for the primary. If it comes back, it begins a new session here.
        case expired
    }

    /// An alarm that was set earlier.
    package enum Alarm: Sendable, Equatable {
        case missing(Int, reason: String)
    }

    /// An effect to perform.
    package enum Effect: Sendable, Equatable {
        /// The primary's log begins. `keepsKnown`: apps know the session from the earlier log.
        case beginAnew(pace: SessionTimeline.Pace, now: Date, keepsKnown: Bool)
        /// Entries from before the app got the session.
        case followSilently([SessionEntry])
        case follow([SessionEntry])
        case hand([Data])
        /// Notify apps of the differences from what they know.
        case notifyDifferences
        /// Give the app the session, or give it again.
        case announce
        /// The workout is finished, and this machine may save it. Before the primary is notified, because then it may forget it.
        case save
        case send([UInt8])
        case wake(Alarm, seconds: TimeInterval)
        /// Check whether other sessions were away for too long.
        case expireOthers
        case notify(FollowLoss?)
        case failed(StaleRequest)
        case refuse(PeerFingerprint, reason: String)
        case report(String)
        case close
        /// Remove the session.
        case forget
    }

    package let session: UUID
    package let origin: PeerFingerprint
    /// This machine's fingerprint, as the primary knows it.
    private let own: PeerFingerprint
    package private(set) var phase = Phase.catchingUp(target: 0)
    /// The contact with the primary. Nil until it has connected.
    package private(set) var contact: Contact?
    /// The name of the primary's machine.
    package private(set) var peer: String
    /// The number of received entries.
    package private(set) var count: UInt64 = 0
    package internal(set) var requests: FollowRequests
    private var channel = 0
    private var arrival = 0
    private var isAnnounced = false
    private var isFinished = false
    /// The entry up to which the primary treats data as received.
    private var received: UInt64 = 0
    /// The hashes of data received in this process, by position among the log's data. No app gets the same data twice.
    package private(set) var taken: [Int]
    /// The number of received data entries.
    private var pieces = 0
    /// Data that apps get with the session.
    private var held: [Data] = []
    /// The number of first elements of ``taken`` that an app got earlier.
    private var had: Int
    private var losses = 0
    private var reader = SessionLogLines()
    private var hasReportedUnknown = false

    /// - Parameters:
    ///   - requests: The unique name of this machine's log of requests.
    ///   - taken: The value of ``taken`` when this process followed the session earlier.
    package init(_ session: UUID, from peer: Peer, to own: PeerFingerprint, requests: UUID, taken: [Int] = []) {
        self.session = session
        self.taken = taken
        had = taken.count
        self.own = own
        origin = peer.fingerprint
        self.peer = peer.name
        self.requests = FollowRequests(log: requests)
    }

    package mutating func handle(_ input: Input) -> [Effect] {
        if phase == .over { return [] }
        switch input {
        case .answered(let channel, let arrival):
            self.channel = channel
            self.arrival = arrival
            return []
        case .received(let event, let channel, let wall): return channel == self.channel ? handle(event, wall) : []
        case .rang(.missing(let loss, let reason)): return notifyLoss(loss, reason)
        case .expired: return lostSince == nil ? [] : [.close] + end(.expired(peer: peer))
        }
    }

    /// Returns whether an offer on this connection is older than the last answered one. It was delayed, and the primary
    /// has given up on it.
    package func isLate(_ arrival: Int) -> Bool { arrival < self.arrival }

    /// Requests an entry in the primary's log, or sends data for its app. If the primary is out of reach, it gets the
    /// request later.
    ///
    /// - Throws: ``FollowLoss/over`` if the mirroring has ended. Another error for an entry that can't be encoded.
    package mutating func ask(_ entry: SessionEntry, at now: Date) throws -> [Effect] {
        guard phase != .over else { throw FollowLoss.over }
        return [.send(try requests.append(entry, at: now))]
    }

    /// Returns requests that the primary lacks, from a number on. Old ones are dropped, and the caller is notified.
    package mutating func resend(
        from number: UInt64, bytes limit: Int, at now: Date
    ) -> (lines: [[UInt8]], effects: [Effect]) {
        let (lines, stale) = requests.lines(from: number, bytes: limit, at: now)
        return (
            lines,
            phase == .over ? [] : stale.map { .failed(StaleRequest($0.content, seconds: $0.seconds, peer: peer)) }
        )
    }

    /// When the primary went away. Nil while it is connected.
    package var lostSince: Date? {
        switch contact {
        case .missing(_, let since)?, .lost(let since)?: phase == .over ? nil : since
        case .there?, nil: nil
        }
    }

    private mutating func handle(_ event: MirrorEvent, _ wall: Date) -> [Effect] {
        switch event {
        case .connected(let peer):
            self.peer = peer.name
            defer { contact = .there }
            if case .lost? = contact, isAnnounced { return [.announce] }
            return []
        case .began(_, let greeting, _, _): return began(greeting)
        case .entries(_, let lines, let first): return receive(lines, first)
        case .acknowledged(_, let through):
            requests.confirm(through: through)
            return []
        case .disconnected(_, let reason):
            losses += 1
            contact = .missing(losses, since: wall)
            return [.expireOthers, .wake(.missing(losses, reason: reason), seconds: MirrorTimeouts.graceInSeconds)]
        case .ended: return end(nil)
        case .closed(_, .replaced): return []
        case .closed(let peer, let closure):
            return end(.closed(peer: peer?.name ?? "the other machine", reason: closure.sentence))
        case .waiting, .delivered: return []
        }
    }

    private mutating func notifyLoss(_ loss: Int, _ reason: String) -> [Effect] {
        guard case .missing(loss, let since)? = contact, isAnnounced else { return [] }
        contact = .lost(since: since)
        return [.notify(.outOfReach(peer: peer, reason: reason))]
    }

    private mutating func end(_ loss: FollowLoss?) -> [Effect] {
        phase = .over
        // Data that no app got has to come again with the session.
        taken.removeLast(taken.count - had)
        return (isAnnounced ? [.notify(loss)] : []) + [.forget]
    }
}

// MARK: - The primary's log

extension FollowState {
    /// Handles the beginning of the log, or of another one that replaces it.
    private mutating func began(_ bytes: [UInt8]) -> [Effect] {
        guard let greeting = MirrorGreeting(bytes), greeting.session == session else {
            return refuse("its greeting has another version")
        }
        count = 0
        pieces = 0
        isFinished = false
        received = greeting.acknowledged[own.description] ?? greeting.count
        reader = SessionLogLines()
        phase = .catchingUp(target: greeting.count)
        return [.beginAnew(pace: greeting.pace, now: greeting.now, keepsKnown: isAnnounced)]
    }

    private mutating func receive(_ lines: [[UInt8]], _ first: UInt64) -> [Effect] {
        var run = FollowedRun()
        for (offset, line) in lines.enumerated() {
            let number = first + UInt64(offset)
            if case .catchingUp(let target) = phase, number > target { catchUp(&run) }
            switch reader.read(line) {
            case .entry(let entry): receive(entry, line, number, &run)
            case .blank: break
            case .unknown:
                if !hasReportedUnknown {
                    run.add(
                        .report(
                            "entry \(number) of the session from \(peer) has a kind that this version does not know"))
                }
                hasReportedUnknown = true
            case .unreadable(let reason):
                return run.effects + refuse("entry \(number) of its session cannot be read: \(reason)")
            }
            count = number
            if phase == .catchingUp(target: number) { catchUp(&run) }
        }
        if isFinished { run.add(.save) }
        return run.effects
    }

    private mutating func receive(_ entry: SessionEntry, _ line: [UInt8], _ number: UInt64, _ run: inout FollowedRun) {
        switch entry.content {
        case .remoteData(let bytes):
            let isNew = isNew(line, number)
            run.followSilently(entry)
            guard isNew else { return }
            if phase == .live { run.hand(bytes) } else { held.append(bytes) }
            return
        case .collection(let collection): isFinished = collection == .finished
        default: break
        }
        if phase == .live { run.follow(entry) } else { run.followSilently(entry) }
    }

    /// Returns whether this data is new: it was neither received earlier, nor in this process under another name of the
    /// log.
    private mutating func isNew(_ line: [UInt8], _ number: UInt64) -> Bool {
        let piece = line.hashValue
        defer { pieces += 1 }
        if pieces < taken.count {
            if taken[pieces] == piece { return false }
            // The primary has lost the entries at this position.
            taken[pieces...] = [piece]
            had = min(had, pieces)
        } else {
            taken.append(piece)
        }
        let isNew = number > received
        if phase == .live || !isNew, had == pieces { had += 1 }
        return isNew
    }

    /// Finishes catching up: this machine has all entries that the primary had when it sent hello.
    private mutating func catchUp(_ run: inout FollowedRun) {
        phase = .live
        run.add(isAnnounced ? .notifyDifferences : .announce)
        isAnnounced = true
        for piece in held { run.hand(piece) }
        held = []
        had = taken.count
    }

    /// Reports an unreadable entry to the app, in a notice and to the primary. It is never acknowledged.
    private mutating func refuse(_ reason: String) -> [Effect] {
        let report = Effect.report(
            "mirroring from \(peer) has ended: \(reason); install the same version on both machines")
        return [.refuse(origin, reason: reason), report] + end(.closed(peer: peer, reason: reason))
    }
}

/// The effects of entries that arrived together, in the primary's order. Adjacent entries of one kind are one effect.
struct FollowedRun {
    private var done: [FollowState.Effect] = []
    private var silent: [SessionEntry] = []
    private var visible: [SessionEntry] = []
    private var pieces: [Data] = []

    mutating func follow(_ entry: SessionEntry) {
        if visible.isEmpty { flush() }
        visible.append(entry)
    }

    mutating func followSilently(_ entry: SessionEntry) {
        if !visible.isEmpty { flush() }
        silent.append(entry)
    }

    /// Adds a piece of data. Called after the data's entry is in the log.
    mutating func hand(_ piece: Data) { pieces.append(piece) }

    mutating func add(_ effect: FollowState.Effect) {
        flush()
        done.append(effect)
    }

    var effects: [FollowState.Effect] {
        var run = self
        run.flush()
        return run.done
    }

    private mutating func flush() {
        if !silent.isEmpty { done.append(.followSilently(silent)) }
        if !visible.isEmpty { done.append(.follow(visible)) }
        if !pieces.isEmpty { done.append(.hand(pieces)) }
        (silent, visible, pieces) = ([], [], [])
    }
}

/// The reason why a companion has lost its primary.
package enum FollowLoss: Error, Sendable, Equatable {
    /// The primary is out of reach, and may come back.
    case outOfReach(peer: String, reason: String)
    case closed(peer: String, reason: String)
    /// It was out of reach for too long.
    case expired(peer: String)
    /// The mirroring has ended before.
    case over
}
