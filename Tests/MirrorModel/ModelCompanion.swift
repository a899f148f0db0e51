import Engine
import Foundation
import HealthKit
import Mirroring
import SessionLog

/// A machine that follows the session: a process that loses its log and app when it is killed.
final class ModelCompanion {
    private enum Memory {
        case ended(MirrorPosition)
        case closed(UUID)
    }

    private unowned let world: ModelWorld
    let number: Int
    let peer: Peer
    /// The number of the primary's entries that it had when that was over.
    private(set) var whole = 0
    private(set) var hasSaved = false

    // State of the process.
    private(set) var life = 0
    private(set) var isAlive = true
    private(set) var state: FollowState?
    private(set) var log: [SessionEntry] = []
    private var name: UUID?
    private var pieces: [Int] = []
    private var session = 0
    private var channels = 0
    private var ends: [UUID: ModelEnd] = [:]
    private var memories: [UUID: Memory] = [:]
    private var end: ModelEnd?
    private var events: [(event: MirrorEvent, session: Int, channel: Int, done: () -> Void)] = []
    private var alarms: [FollowState.Alarm] = []
    private var handed: Set<Int> = []
    private var lastHanded = 0

    init(_ world: ModelWorld, _ number: Int, _ peer: Peer) {
        self.world = world
        self.number = number
        self.peer = peer
    }

    func kill() {
        world.witness.note("\(peer.name) is killed")
        life += 1
        isAlive = false
        world.ledger.lost(from: number)
        state = nil
        log = []
        name = nil
        pieces = []
        (ends, memories, end) = ([:], [:], nil)
        (events, alarms) = ([], [])
        (handed, lastHanded) = ([], 0)
        world.cutAll { $0.companion.companion == self.number }
    }

    func launch() { isAlive = true }

    // MARK: Offers

    func greeted(_ link: ModelLink, _ hello: Hello) {
        if let known = ends[hello.channel] { return attach(link, known, hello) }
        switch memories[hello.channel] {
        case .closed(let log) where hello.received?.log == log:
            memories[hello.channel] = nil
            return link.leave(.closed, "the channel was closed")
        case .ended(MirrorPosition(log: hello.log, through: hello.count)):
            let position = MirrorPosition(log: hello.log, through: hello.count)
            let silent = ModelEnd(
                hello.channel, log: world.uuid(), count: 0, kept: [world.primary.peer.fingerprint: position],
                wanted: [],
                ModelEnd.Uses(read: { _ in [] }, greet: { _ in [] }, hand: { $1() }, witness: world.witness))
            return attach(link, silent, hello)
        case .closed, .ended, nil: break
        }
        guard let greeting = MirrorGreeting(hello.greeting) else { return world.witness.check(false, "no greeting") }
        if let state, state.phase != .over, state.isLate(link.number) { return link.leave(.later, "it came late") }
        if state == nil || state?.phase == .over {
            session += 1
            channels = 0
            log = []
            name = nil
            state = FollowState(
                greeting.session, from: world.primary.peer, to: peer.fingerprint, requests: world.uuid(), taken: pieces)
        }
        memories[hello.channel] = nil
        let end = answer(hello.channel, link.number)
        ends[hello.channel] = end
        attach(link, end, hello)
    }

    private func answer(_ channel: UUID, _ arrival: Int) -> ModelEnd {
        channels += 1
        let (number, session, life) = (channels, session, life)
        _ = state?.handle(.answered(channel: number, arrival: arrival))
        let requests = state?.requests
        let old = end
        let new = ModelEnd(
            channel, log: requests?.log ?? UUID(), count: requests?.count ?? 0, kept: [:], wanted: [],
            ModelEnd.Uses(
                read: { [unowned self] first in
                    guard session == self.session, var state else { return [] }
                    let (lines, effects) = state.resend(from: first, bytes: world.pick(300) + 1, at: world.now)
                    self.state = state
                    effects.forEach(perform)
                    return lines
                },
                greet: { _ in [] },
                hand: { [unowned self] event, done in
                    if life == self.life { events.append((event, session, number, done)) }
                },
                acknowledges: { [unowned self] through in
                    guard session == self.session, state != nil, number == channels else { return }
                    world.witness.check(
                        through <= UInt64(log.count), "entry \(through) is acknowledged and only \(log.count) are here")
                },
                isOver: { [unowned self] end, hasEnded in if life == self.life { over(end, hasEnded) } },
                witness: world.witness))
        end = new
        old?.close()
        return new
    }

    private func attach(_ link: ModelLink, _ end: ModelEnd, _ hello: Hello) {
        if end.hasNewer(than: link, of: world.primary.peer) {
            return link.leave(.replaced, "a newer connection is there")
        }
        link.end = end
        let answer = end.hello(to: world.primary.peer)
        link.say(.hello(answer))
        end.attach(link, world.primary.peer, said: answer, heard: hello)
    }

    private func over(_ end: ModelEnd, _ hasEnded: Bool) {
        guard ends[end.channel] === end else { return }
        ends[end.channel] = nil
        let fingerprint = world.primary.peer.fingerprint
        if hasEnded {
            if let position = end.endedPosition(of: fingerprint) { memories[end.channel] = .ended(position) }
        } else if !end.isTaken(fingerprint) {
            memories[end.channel] = .closed(end.log)
        }
    }

    // MARK: The app

    func send() { ask(SessionEntry(world.now, .remoteData(world.ledger.piece(from: number)))) }

    func request() { ask(world.ledger.request(isForNow: world.pick(3) == 0)) }

    func askForTheEnd() { ask(SessionEntry(.distantFuture, .state(.ended))) }

    func expire() { handle(.expired) }

    private func ask(_ entry: SessionEntry) {
        guard var state, state.phase != .over, log.count > 0 else { return }
        do {
            let effects = try state.ask(entry, at: world.now)
            self.state = state
            if !world.primary.hasEnded { world.ledger.asked(entry, by: number) }
            effects.forEach(perform)
        } catch {
            world.witness.check(false, "\(error)")
        }
    }

    // MARK: The machine

    private func handle(_ input: FollowState.Input) {
        guard let effects = state?.handle(input) else { return }
        world.witness.note("\(peer.name) \(input) -> \(effects)")
        effects.forEach(perform)
    }

    private func perform(_ effect: FollowState.Effect) {
        switch effect {
        case .beginAnew: log = []
        case .followSilently(let entries), .follow(let entries): entries.forEach(follow)
        case .hand(let pieces): pieces.forEach(take)
        case .save: hasSaved = true
        case .send: end?.append()
        case .wake(let alarm, _): alarms.append(alarm)
        case .notify(nil):
            world.witness.check(
                log.count == world.primary.log.count || name.map { world.entries($0).count == log.count } == true,
                "the session is over for \(peer.name) with \(log.count) entries")
            world.witness.check(hasSaved || !world.savesWorkouts, "the workout ended and was not saved")
            whole = log.count
        case .refuse(_, let reason): world.witness.check(false, "the primary is refused: \(reason)")
        case .close: end?.close()
        case .failed(let request): world.ledger.dropped(request)
        case .forget:
            pieces = state?.taken ?? []
            world.ledger.lost(from: number)
            end = nil
        case .notifyDifferences, .announce, .expireOthers, .notify, .report: break
        }
    }

    private func follow(_ entry: SessionEntry) {
        log.append(entry)
        guard let name else { return world.witness.check(false, "entries of no log") }
        let entries = world.entries(name)
        world.witness.check(
            log.count <= entries.count && entries[log.count - 1] == entry,
            "entry \(log.count) at \(peer.name) is not the primary's")
    }

    /// The primary's message under a name of which this machine has entries.
    func check(_ name: UUID, _ entries: [SessionEntry]) {
        guard name == self.name, state?.phase != .over else { return }
        world.witness.check(
            log.count <= entries.count && Array(entries.prefix(log.count)) == log,
            "the log that \(peer.name) follows has become another one")
    }

    private func take(_ piece: Data) {
        let (number, _) = world.ledger.read(piece)
        world.witness.check(handed.insert(number).inserted, "piece \(number) reaches \(peer.name)'s app twice")
        world.witness.check(number > lastHanded, "piece \(number) reaches \(peer.name)'s app after a later one")
        lastHanded = max(lastHanded, number)
        world.ledger.arrived(number, at: self.number)
    }

    // MARK: Next steps

    var hasEvents: Bool { !events.isEmpty }

    func next() {
        guard !events.isEmpty else { return }
        let (event, session, channel, done) = events.removeFirst()
        if session == self.session {
            if case .began(_, _, let log, _) = event { name = log }
            handle(.received(event, channel: channel, wall: world.now))
        }
        done()
    }

    func ring() {
        guard !alarms.isEmpty else { return }
        handle(.rang(alarms.remove(at: world.pick(alarms.count))))
    }
}
