import Analytics
import Engine
import Foundation
import HealthKit
import Mirroring
import SessionLog

/// Two or three machines and an unreliable network, all controlled by a seed: both sides of the protocol,
/// ``MirrorState`` and ``FollowState``, run against each other, and their promises are checked at each step.
///
/// - A follower's log is always the beginning of the log that the primary sends under that name, entry by entry.
/// - Acknowledged entries are in the follower's log; a finished workout is in its store, if it saves.
/// - Data arrives in order, never twice in one process of an app. Data that a side has announced arrives in
///   some process of the other side, unless the machine that held it was killed. A request is done once, or its
///   owner learns that it is not.
/// - The primary's journal is deleted only when every companion has everything.
/// - When the network works again, both sides come to rest and are equal; a session that one side has ended is ended
///   on both.
package final class ModelWorld {
    let witness: ModelWitness
    let ledger: ModelLedger
    let session: UUID
    /// Whether the workout is built, and companions save it.
    let savesWorkouts: Bool
    private var random: SeededGenerator
    private(set) var primary: ModelPrimary!
    private(set) var companions: [ModelCompanion] = []
    private(set) var isPrimaryAlive = true
    private var connections: [ModelConnection] = []
    private var dials = 0
    private var isCalm = false
    private var seconds = 0.0
    /// The entries under each name of the primary's log.
    private var logs: [UUID: [SessionEntry]] = [:]
    private var current: UUID?

    /// The primary was killed between two steps that belong together, such as recording a request and doing it.
    private var hasDiedBetween = false

    package private(set) var steps = 0
    /// The latest step.
    package var story: [String] { witness.story }

    /// - Parameter tellsStory: Whether to record the steps, for ``story``.
    package init(seed: UInt64, tellsStory: Bool = false) {
        witness = ModelWitness(isTelling: tellsStory)
        ledger = ModelLedger(witness)
        random = SeededGenerator(seed: seed)
        var generator = random
        session = Self.uuid(&generator)
        savesWorkouts = Bool.random(using: &generator)
        let count = Int.random(in: 1...2, using: &generator)
        random = generator
        func peer(_ byte: UInt8, _ name: String) -> Peer {
            let fingerprint = PeerFingerprint(bytes: [UInt8](repeating: byte, count: 32))
            return Peer(fingerprint: fingerprint!, name: name, added: .distantPast)
        }
        primary = ModelPrimary(self, peer(1, "watch"))
        for number in 0..<count {
            companions.append(ModelCompanion(self, number, peer(UInt8(2 + number), "phone \(number)")))
        }
    }

    /// Runs this many steps with faults, then repairs the network and waits for rest. Returns the first broken
    /// promise, or nil.
    package func play(_ troubles: Int) -> String? {
        primary.launch()
        for _ in 0..<troubles where witness.failure == nil {
            steps += 1
            trouble()
        }
        isCalm = true
        isDiskFull = false
        if !isPrimaryAlive { relaunch() }
        for companion in companions where !companion.isAlive { companion.launch() }
        rest("the network has healed")
        for companion in companions where witness.failure == nil {
            witness.check(
                primary.isJournalRemoved || primary.end?.wanted.contains(companion.number) != true
                    || companion.log == primary.log,
                "\(companion.peer.name) has \(companion.log.count) of \(primary.log.count) entries in peace")
        }
        if !primary.hasEnded {
            ledger.checkNothingIsOpen(exceptRequests: hasDiedBetween)
            if pick(2) == 0 { primary.endSession() } else { companions[0].askForTheEnd() }
            rest("the session has ended")
        }
        for _ in 0..<3 where !primary.isJournalRemoved && witness.failure == nil {
            primary.finishWorkout()
            rest("the workout is finished")
        }
        witness.check(primary.hasEnded, "the session goes on at the primary")
        witness.check(primary.isJournalRemoved, "the journal stays in peace, \(primary.state.phase)")
        for companion in companions {
            witness.check(companion.whole > 0, "\(companion.peer.name) never had the whole session")
            witness.check(companion.state?.phase ?? .over == .over, "the session goes on at \(companion.peer.name)")
        }
        ledger.checkArrivals(of: primary.log, at: companions)
        return witness.failure
    }

    // MARK: Services for the machines

    var now: Date { Date(timeIntervalSinceReferenceDate: 800_000_000 + seconds) }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func uuid() -> UUID { Self.uuid(&random) }

    private static func uuid(_ generator: inout SeededGenerator) -> UUID {
        let (a, b) = (generator.next(), generator.next())
        return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Whether the primary is killed between two of its steps.
    func dies() -> Bool {
        guard !isCalm, isPrimaryAlive, pick(400) == 0 else { return false }
        isPrimaryAlive = false
        hasDiedBetween = true
        return true
    }

    var isDiskFull: Bool {
        get { primary.isDiskFull }
        set { primary.isDiskFull = newValue }
    }

    /// The primary's log has this name from now on. Whoever has entries of that name must have these.
    func named(_ name: UUID, _ log: [SessionEntry]) {
        logs[name] = log
        current = name
        for companion in companions { companion.check(name, log) }
    }

    func noted(_ entry: SessionEntry, at place: Int) {
        if let current { logs[current]?.append(entry) }
    }

    func entries(_ name: UUID) -> [SessionEntry] { logs[name] ?? [] }

    // MARK: The network

    func cutAll(_ isMeant: (ModelConnection) -> Bool) {
        for connection in connections where isMeant(connection) { cut(connection) }
    }

    private func cut(_ connection: ModelConnection) {
        witness.note("a connection to phone \(connection.companion.companion) is cut")
        connection.cut { count in count == 0 ? 0 : pick(count + 1) }
        // A killed process reads nothing any more.
        if !isPrimaryAlive { connection.primary.isOver = true }
        if !companions[connection.companion.companion].isAlive { connection.companion.isOver = true }
    }

    private func dial() {
        guard isPrimaryAlive, let end = primary.end, let number = end.wanted.sorted().randomElement(using: &random)
        else { return }
        let companion = companions[number]
        guard companion.isAlive, !end.isTaken(companion.peer.fingerprint), primary.talking[number]?.isOver ?? true
        else { return }
        dials += 1
        let connection = ModelConnection(at: number, number: dials)
        connections.append(connection)
        primary.talking[number] = connection.primary
        connection.primary.end = end
        let hello = end.hello(to: companion.peer)
        connection.primary.said = hello
        connection.primary.say(.hello(hello))
    }

    /// One frame arrives, or the end of the connection.
    private func deliver(_ link: ModelLink) {
        guard !link.isOver else { return link.inbox.removeAll() }
        guard !link.inbox.isEmpty else {
            if link.isAtEnd { link.lose("the peer closed the connection") }
            return
        }
        let frame = link.inbox.removeFirst()
        witness.note("\(link.isDialed ? "watch" : "phone \(link.companion)") hears \(frame)")
        let companion = companions[link.companion]
        switch (frame, link.isUp, link.isDialed) {
        case (.hello(let hello), false, false): companion.greeted(link, hello)
        case (.hello(let hello), false, true):
            guard let end = link.end, !end.isClosed, end.wanted.contains(link.companion), let said = link.said else {
                return link.leave(link.end?.farewell ?? .closed, "it is not wanted any more")
            }
            end.attach(link, companion.peer, said: said, heard: hello)
        case (.bye(let bye, let text), false, _):
            guard let end = link.end else { return link.lose(text) }
            end.dismissed(bye, text, end.parties[companion.peer.fingerprint], link)
        default: link.end?.receive(frame, over: link)
        }
    }

    // MARK: Steps

    private func relaunch() {
        isPrimaryAlive = true
        primary.launch()
    }

    private func killPrimary(withoutPower: Bool) {
        isPrimaryAlive = false
        primary.kill(withoutPower: withoutPower)
    }

    /// Runs what happens without input. Returns whether anything happened.
    @discardableResult
    private func work() -> Bool {
        connections.removeAll { $0.isOver }
        var did = false
        switch pick(8) {
        case 0, 1, 2:
            guard !connections.isEmpty else { return false }
            let connection = connections[pick(connections.count)]
            let link = pick(2) == 0 ? connection.primary : connection.companion
            did = !link.inbox.isEmpty || link.isAtEnd
            deliver(link)
        case 3:
            guard !connections.isEmpty else { return false }
            let connection = connections[pick(connections.count)]
            let link = pick(2) == 0 ? connection.primary : connection.companion
            guard let end = link.end, end.hasMore(for: link) else { return false }
            did = true
            end.pump(link)
        case 4:
            did = primary.hasEvents
            if isPrimaryAlive { primary.next() }
        case 5, 6:
            let companion = companions[pick(companions.count)]
            did = companion.hasEvents
            companion.next()
        default: dial()
        }
        return did
    }

    private var isAtRest: Bool {
        connections.allSatisfy { connection in
            [connection.primary, connection.companion].allSatisfy { link in
                link.inbox.isEmpty && !link.isAtEnd && link.end?.hasMore(for: link) != true
            }
        } && !primary.hasEvents && companions.allSatisfy { !$0.hasEvents }
            && (primary.end?.wanted ?? []).allSatisfy { primary.end?.isTaken(companions[$0].peer.fingerprint) == true }
    }

    /// Continues until nothing is left to do.
    private func rest(_ when: String) {
        var turns = 0
        while witness.failure == nil {
            steps += 1
            turns += 1
            work()
            if turns % 64 == 0 {
                connections.removeAll { $0.isOver }
                startAgainWhereOver()
                if isAtRest { return }
            }
            if turns > 200_000 { witness.check(false, "no peace after \(when), \(primary.state.phase)") }
        }
    }

    /// Like an app or the command: a mirroring that all have ended starts again; undelivered data comes later.
    private func startAgainWhereOver() {
        guard isPrimaryAlive, !primary.isJournalRemoved, !primary.hasEvents else { return }
        switch primary.state.phase {
        case .dismissed where !primary.hasEnded: primary.mirror(channel: uuid())
        case .dismissed, .over: relaunchAfterEnd()
        case .mirroring, .delivering: break
        }
    }

    private func relaunchAfterEnd() {
        killPrimary(withoutPower: false)
        relaunch()
    }

    private func trouble() {
        seconds += 0.01
        switch pick(100) {
        case 0..<62: work()
        case 62..<74: if isPrimaryAlive { primary.measure() }
        case 74..<78: if isPrimaryAlive { primary.send() }
        case 78..<81: companions[pick(companions.count)].send()
        case 81..<84: companions[pick(companions.count)].request()
        case 84..<87: if isPrimaryAlive { primary.ring() }
        case 87: companions[pick(companions.count)].ring()
        case 88..<91: if !connections.isEmpty { cut(connections[pick(connections.count)]) }
        case 91: if isPrimaryAlive { primary.commit() }
        case 92: seconds += Double(pick(8))
        case 93..<96: recover()
        default: rareTrouble()
        }
    }

    /// Killed processes are restarted.
    private func recover() {
        if !isPrimaryAlive { relaunch() }
        for companion in companions where !companion.isAlive && pick(2) == 0 { companion.launch() }
        startAgainWhereOver()
    }

    private func rareTrouble() {
        switch pick(24) {
        case 0, 1: if isPrimaryAlive, !primary.isJournalRemoved { killPrimary(withoutPower: pick(3) == 0) }
        case 2, 3:
            let companion = companions[pick(companions.count)]
            if companion.isAlive { companion.kill() }
        case 4, 5: isDiskFull.toggle()
        case 6: if pick(6) == 0, isPrimaryAlive { primary.endSession() }
        case 7: if pick(6) == 0 { companions[pick(companions.count)].askForTheEnd() }
        case 8: if pick(4) == 0 { companions[pick(companions.count)].expire() }
        case 9: primary.end?.giveUp()
        case 10: if isPrimaryAlive { primary.finishWorkout() }
        case 11: for connection in connections { cut(connection) }
        default: work()
        }
    }
}
