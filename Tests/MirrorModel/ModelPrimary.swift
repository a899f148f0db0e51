import Engine
import Foundation
import HealthKit
import Mirroring
import SessionLog

/// The machine on which the session runs: its journal, and a process that is killed and restarted.
final class ModelPrimary {
    private unowned let world: ModelWorld
    let peer: Peer
    /// The contents of the journal's file. This many entries are safely on the disk.
    private var file: [SessionEntry] = []
    private var committed = 0
    private(set) var isJournalRemoved = false
    private var boot: UUID
    /// Entries that are written to the journal when there is space again.
    var isDiskFull = false { didSet { if !isDiskFull { file = log } } }

    // State of the process.
    private(set) var life = 0
    private(set) var log: [SessionEntry] = []
    private var lines: [[UInt8]] = []
    private(set) var state: MirrorState
    private(set) var end: ModelEnd?
    private var channels = 0
    private var isAttached = false
    private var events: [(event: MirrorEvent, channel: Int, done: () -> Void)] = []
    private var outcomes: [Bool] = []
    private var alarms: [MirrorState.Alarm] = []
    private var handed: Set<Int> = []
    private var lastHanded: [Int: Int] = [:]
    var talking: [Int: ModelLink] = [:]

    init(_ world: ModelWorld, _ peer: Peer) {
        self.world = world
        self.peer = peer
        boot = world.uuid()
        state = Self.begun(world)
    }

    private static func begun(_ world: ModelWorld) -> MirrorState {
        MirrorState(of: world.session, includesNotifications: false, now: world.now, pace: .wall)
    }

    private(set) var hasEnded = false
    private var isFinished = false

    // MARK: Process and disk

    func launch() {
        world.witness.note("watch is started")
        life += 1
        log = []
        lines = []
        (handed, lastHanded, talking) = ([], [:], [:])
        (events, outcomes, alarms) = ([], [], [])
        (hasEnded, isFinished) = (false, false)
        world.ledger.recovered(file)
        state = Self.begun(world)
        channels = 0
        isAttached = false
        for entry in file { keep(entry) }
        if log.isEmpty {
            let header = SessionHeader(id: world.session, activity: ActivityDescription())
            append(.header(header))
            append(.state(.running))
            if world.savesWorkouts { append(.collection(.began(events: true))) }
        }
        mirror(channel: world.session)
    }

    /// From here on, or again when every companion has ended it.
    func mirror(channel: UUID) {
        state = Self.begun(world)
        end?.close()
        open(.lasting, channel: channel)
        isAttached = true
        if state.crossing.isComplete { handle(.finished) }
    }

    /// What was written remains; after a power cut, only what was on the disk.
    func kill(withoutPower: Bool) {
        let cause = withoutPower ? "by a loss of power" : "at \(committed) entries on the disk"
        world.witness.note("watch is killed \(cause): \(log.count) entries, \(file.count) of them in the file")
        life += 1
        if withoutPower {
            file = Array(file.prefix(committed))
            boot = world.uuid()
        }
        committed = file.count
        log = file
        isDiskFull = false
        end = nil
        world.cutAll { _ in true }
    }

    func commit() { if !isDiskFull { committed = file.count } }

    // MARK: The session

    private func keep(_ entry: SessionEntry) {
        var encoder = SessionLogEncoder()
        do { try encoder.append(entry) } catch { return world.witness.check(false, "\(error)") }
        log.append(entry)
        lines.append(encoder.bytes)
        if !isDiskFull { file = log }
        switch entry.content {
        case .state(.ended): hasEnded = true
        case .collection(.finished): isFinished = true
        default: break
        }
    }

    func append(_ content: SessionEntry.Content) {
        keep(SessionEntry(world.now, content))
        guard isAttached else { return }
        world.noted(log[log.count - 1], at: log.count - 1)
        handle(.appended(log[log.count - 1], place: log.count - 1, isKept: file.count == log.count))
    }

    func measure() {
        guard !hasEnded else { return }
        let reading = QuantityReading(
            "heartRate", Double(log.count), unit: "count/min", start: world.now, end: world.now)
        append(.quantity(reading))
    }

    func endSession() {
        if !hasEnded { append(.state(.ended)) }
    }

    /// The app finishes the workout of an ended session.
    func finishWorkout() {
        guard hasEnded, world.savesWorkouts, !isFinished else { return }
        append(.collection(.ended))
        append(.collection(.finished))
    }

    func send() {
        guard !hasEnded, isAttached, state.phase == .mirroring, end?.hasLinks == true else { return }
        append(.remoteData(world.ledger.piece(from: nil)))
    }

    // MARK: The machine

    private func handle(_ input: MirrorState.Input) {
        let life = life
        let effects = state.handle(input)
        world.witness.note("watch \(input) -> \(effects)")
        for effect in effects {
            if world.dies() { kill(withoutPower: false) }
            guard life == self.life, world.isPrimaryAlive else { return }
            perform(effect)
        }
    }

    private func perform(_ effect: MirrorState.Effect) {
        switch effect {
        case .send(let line):
            end?.append()
            world.witness.check(
                line == lines.last && (end?.isClosed != false || end?.count == UInt64(lines.count)),
                "entry \(lines.count) is sent under another number")
        case .open(let numbering): open(numbering, channel: world.uuid())
        case .note(let progress): if !hasEnded { append(.companion(progress)) }
        case .grant(let request): grant(request)
        case .hand(let pieces): pieces.forEach(take)
        case .refuse(let peer, let reason): world.witness.check(false, "\(peer.short) is refused: \(reason)")
        case .wake(let alarm, _): alarms.append(alarm)
        case .finish: end?.finish { [self] in outcomes.append($0) }
        case .close:
            end?.close()
            end = nil
        case .detach: isAttached = false
        case .removeJournal:
            for companion in world.companions {
                world.witness.check(
                    companion.whole == log.count, "the journal goes, and \(companion.peer.name) has not got everything")
            }
            isJournalRemoved = true
        case .answer, .notify, .report: break
        }
    }

    private func open(_ numbering: MirrorState.Numbering, channel: UUID) {
        var crossing = CrossingLog(includesNotifications: false)
        for (place, entry) in log.enumerated() { crossing.add(.entry(entry), lines[place], at: place) }
        let isLasting = numbering == .lasting && file.count == log.count
        let name = isLasting ? boot : world.uuid()
        channels += 1
        let number = channels
        handle(.opened(crossing, isLasting ? .lasting : .passing, channel: number))
        let life = life
        let old = end
        world.named(name, log)
        end = ModelEnd(
            channel, log: name, count: crossing.count, kept: state.done, wanted: Set(world.companions.indices),
            ModelEnd.Uses(
                read: { [unowned self] first in
                    Array(lines[(Int(first) - 1)...].prefix(world.pick(4) + 1))
                },
                greet: { [unowned self] in state.greeting(for: $0, now: world.now).bytes },
                hand: { [unowned self] event, done in
                    if life == self.life { events.append((event, number, done)) }
                },
                witness: world.witness))
        old?.close(isReplaced: true)
        talking = [:]
    }

    private func grant(_ request: SessionEntry) {
        switch request.content {
        case .event(let event):
            guard !hasEnded else { return world.ledger.cameLate(request) }
            world.ledger.granted(request)
            append(.event(event))
        case .state(.ended): endSession()
        default: break
        }
    }

    private func take(_ piece: Data) {
        let (number, companion) = world.ledger.read(piece)
        world.witness.check(handed.insert(number).inserted, "piece \(number) reaches the primary's app twice")
        world.witness.check(
            number > lastHanded[companion] ?? 0, "piece \(number) reaches the primary's app after a later one")
        lastHanded[companion] = number
        world.ledger.arrived(number)
    }

    // MARK: Next steps

    var hasEvents: Bool { !events.isEmpty || !outcomes.isEmpty }

    func next() {
        if !outcomes.isEmpty { return handle(.delivered(outcomes.removeFirst())) }
        guard !events.isEmpty else { return }
        let (event, channel, done) = events.removeFirst()
        let life = life
        handle(.received(event, channel: channel, hasLinks: end?.hasLinks == true))
        if life == self.life { done() }
    }

    func ring() {
        guard !alarms.isEmpty else { return }
        let alarm = alarms.remove(at: world.pick(alarms.count))
        // An app that finishes its workout does so within the hour.
        if alarm == .unfinished, !isFinished { return finishWorkout() }
        handle(.rang(alarm))
    }
}
