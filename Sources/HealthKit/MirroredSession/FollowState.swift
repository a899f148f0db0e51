package import Mirroring
package import Recordings

/// The companion's half of a mirrored session: what of the primary's log an app sees, and what the primary is asked for. Pure;
/// the log, the channel and the clock are ``MirroredSession``'s, which does what the effects say, in their order.
///
///     catchingUp ── here is what the greeting spoke of ──▶ live ── ended, or not waited for any longer ──▶ over
///         ▲ └───────── a line that cannot be read ──────────│──────────────────────────────────────────────▲
///         └────────────── the log begins anew ──────────────┘
///
/// An app gets the session once this machine is where the primary is: with the whole history, however late it joined.
package struct FollowState: Sendable {
    package enum Phase: Sendable, Equatable {
        /// There have to be so many entries before an app sees the session, or sees it anew.
        case catchingUp(target: UInt64)
        case live
        case over
    }

    /// Whether the primary is there, as apps know it.
    package enum Contact: Sendable, Equatable {
        case there
        /// It is away; apps do not know it yet. Counts up, so that an earlier alarm is not taken for this one's.
        case missing(Int, since: Date)
        case lost(since: Date)
    }

    /// What happened.
    package enum Input: Sendable {
        /// A channel of this number answers an offer of the primary; one of before is void. `arrival`: the number of the
        /// connection that the offer came with.
        case answered(channel: Int, arrival: Int)
        /// `wall`: what this machine's clock reads.
        case received(MirrorEvent, channel: Int, wall: Date)
        case rang(Alarm)
        /// The primary is not waited for any longer. Should it come back, it begins a new session here.
        case expired
    }

    /// What was to be thought of after some time.
    package enum Alarm: Sendable, Equatable {
        case missing(Int, reason: String)
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// The primary's log begins. `keepsKnown`: apps know the session as the log before told it.
        case beginAnew(pace: SessionTimeline.Pace, now: Date, keepsKnown: Bool)
        /// What happened before anybody looked.
        case followSilently([SessionEntry])
        case follow([SessionEntry])
        case hand([Data])
        /// To tell apps what is different from what they know.
        case notifyDifferences
        /// An app gets the session, or gets it again.
        case announce
        /// The workout is finished, and this machine may save it. Before the primary hears so: then it may forget it.
        case save
        case send([UInt8])
        case wake(Alarm, seconds: TimeInterval)
        /// Others that are away may be so for too long.
        case expireOthers
        case notify(FollowLoss?)
        case failed(StaleRequest)
        case refuse(PeerFingerprint, reason: String)
        case report(String)
        case close
        /// Nobody is to find the session any more.
        case forget
    }

    package let session: UUID
    package let origin: PeerFingerprint
    /// This machine, as the primary calls it.
    private let own: PeerFingerprint
    package private(set) var phase = Phase.catchingUp(target: 0)
    /// Nil before the primary was there.
    package private(set) var contact: Contact?
    /// What the primary's machine is called.
    package private(set) var peer: String
    /// How many entries of the log are here.
    package private(set) var count: UInt64 = 0
    package internal(set) var requests: FollowRequests
    private var channel = 0
    private var arrival = 0
    private var isAnnounced = false
    private var isFinished = false
    /// Up to which entry the primary takes data for had.
    private var received: UInt64 = 0
    /// By its place among the log's data, what each piece was that came in this process: no app gets one twice.
    package private(set) var taken: [Int]
    /// How many pieces of the log are here.
    private var pieces = 0
    /// Those that apps get with the session.
    private var held: [Data] = []
    /// How many of ``taken``, from the first one on, are not among those.
    private var had: Int
    private var losses = 0
    private var reader = SessionLogLines()
    private var hasToldUnknown = false

    /// - Parameters:
    ///   - requests: the name of what this machine asks for. Nobody else has it.
    ///   - taken: what ``taken`` was when this process followed the session before.
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

    /// Whether an offer that came with this connection is an earlier one than that which was answered last: it was long on its
    /// way, and the primary has given it up.
    package func isLate(_ arrival: Int) -> Bool { arrival < self.arrival }

    /// Asks the primary for an entry in its log, or sends data for its app. One that is out of reach gets it when it is back.
    ///
    /// - Throws: ``FollowLoss/over`` when nobody is asked any more; what no log can say.
    package mutating func ask(_ entry: SessionEntry, at now: Date) throws -> [Effect] {
        guard phase != .over else { throw FollowLoss.over }
        return [.send(try requests.append(entry, at: now))]
    }

    /// Requests that the primary lacks, from a number on. What is too old to be done is dropped, and whoever asked is to hear.
    package mutating func resend(
        from number: UInt64, bytes limit: Int, at now: Date
    ) -> (lines: [[UInt8]], effects: [Effect]) {
        let (lines, stale) = requests.lines(from: number, bytes: limit, at: now)
        return (
            lines,
            phase == .over ? [] : stale.map { .failed(StaleRequest($0.content, seconds: $0.seconds, peer: peer)) }
        )
    }

    /// Since when the primary is away; nil while it is there.
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
        // What no app got is to come again, should the session.
        taken.removeLast(taken.count - had)
        return (isAnnounced ? [.notify(loss)] : []) + [.forget]
    }
}

// MARK: - The primary's log

extension FollowState {
    /// The log begins, or another one takes its place.
    private mutating func began(_ bytes: [UInt8]) -> [Effect] {
        guard let greeting = MirrorGreeting(bytes), greeting.session == session else {
            return refuse("its greeting is of another version")
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
                if !hasToldUnknown {
                    run.add(
                        .report(
                            "entry \(number) of the session from \(peer) is of a kind that this version does not know"))
                }
                hasToldUnknown = true
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

    /// Whether this piece of data has neither had a receiver before nor come in this process already, under whatever name of
    /// the log.
    private mutating func isNew(_ line: [UInt8], _ number: UInt64) -> Bool {
        let piece = line.hashValue
        defer { pieces += 1 }
        if pieces < taken.count {
            if taken[pieces] == piece { return false }
            // The primary has lost what stood here.
            taken[pieces...] = [piece]
            had = min(had, pieces)
        } else {
            taken.append(piece)
        }
        let isNew = number > received
        if phase == .live || !isNew, had == pieces { had += 1 }
        return isNew
    }

    /// This machine is where the primary was when it said hello.
    private mutating func catchUp(_ run: inout FollowedRun) {
        phase = .live
        run.add(isAnnounced ? .notifyDifferences : .announce)
        isAnnounced = true
        for piece in held { run.hand(piece) }
        held = []
        had = taken.count
    }

    /// What cannot be read is said, to the app, to whoever reads the notices and to the primary; it is never acknowledged.
    private mutating func refuse(_ reason: String) -> [Effect] {
        let report = Effect.report(
            "mirroring from \(peer) has ended: \(reason); install the same version on both machines")
        return [.refuse(origin, reason: reason), report] + end(.closed(peer: peer, reason: reason))
    }
}

/// What becomes of entries that came together, in the primary's order: neighbours of one kind are one effect.
struct FollowedRun {
    private var done: [FollowState.Effect] = []
    private var silent: [SessionEntry] = []
    private var told: [SessionEntry] = []
    private var pieces: [Data] = []

    mutating func follow(_ entry: SessionEntry) {
        if told.isEmpty { flush() }
        told.append(entry)
    }

    mutating func followSilently(_ entry: SessionEntry) {
        if !told.isEmpty { flush() }
        silent.append(entry)
    }

    /// The piece's entry is in the log by then.
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
        if !told.isEmpty { done.append(.follow(told)) }
        if !pieces.isEmpty { done.append(.hand(pieces)) }
        (silent, told, pieces) = ([], [], [])
    }
}
