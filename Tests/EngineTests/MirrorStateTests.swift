import Foundation
import Mirroring
import Testing

@testable import Engine
@testable import SessionLog

/// Scenarios of the primary machine.
@Suite struct MirrorStateTests {
    private let session = UUID()
    private let phone = Peer(fingerprint: .of(1), name: "phone")
    private let tablet = Peer(fingerprint: .of(2), name: "tablet")

    /// A mirrored session whose log holds a header and a start.
    private func begun(
        _ numbering: MirrorState.Numbering = .lasting, keepsJournal: Bool = false
    ) -> (MirrorState, SessionUnderTest) {
        var state = MirrorState(
            of: session, includesNotifications: false, now: .distantPast, pace: .wall, keepsJournal: keepsJournal)
        let log = SessionUnderTest(session)
        _ = state.handle(.opened(log.crossing, numbering, channel: 1))
        return (state, log)
    }

    private func received(_ event: MirrorEvent, hasLinks: Bool = true) -> MirrorState.Input {
        .received(event, channel: 1, hasLinks: hasLinks)
    }

    private func join(_ peer: Peer, _ state: inout MirrorState) {
        _ = state.greeting(for: peer.fingerprint, now: nil)
        _ = state.handle(received(.connected(peer)))
    }

    private func note(_ peer: Peer, received: Int, done: MirrorPosition? = nil) -> MirrorState.Effect {
        .note(
            CompanionProgress(
                companion: peer.fingerprint.description, received: received,
                done: done.map { .init(log: $0.log, through: Int($0.through)) }))
    }

    // MARK: The log

    @Test func `an entry is sent exactly as it is in the log`() throws {
        var (state, log) = begun()
        let (input, line) = log.append(.state(.paused))
        #expect(state.handle(input) == [.send(line)])
        #expect(state.crossing.count == 3)
    }

    @Test func `a second companion's greeting says nothing about the first one`() {
        var (state, log) = begun()
        _ = state.greeting(for: phone.fingerprint, now: nil)
        _ = state.handle(log.append(.remoteData(Data([1]))).input)
        _ = state.greeting(for: tablet.fingerprint, now: nil)
        // The data came after the phone's greeting, so it is for the phone and not for the tablet.
        #expect(state.handle(received(.connected(phone))) == [note(phone, received: 0)])
        #expect(state.handle(received(.connected(tablet))) == [note(tablet, received: 1)])
    }

    @Test func `on a full disk nothing more is sent under a name that another process would reuse`() {
        var (state, log) = begun()
        let missing = log.append(.state(.paused), isKept: false)
        #expect(state.handle(missing.input) == [.open(.passing)])
        _ = state.handle(.opened(log.crossing, .passing, channel: 2))
        let next = log.append(.state(.running), isKept: false)
        #expect(state.handle(next.input) == [.send(next.line)])
    }

    @Test func `on a full disk the last entry is sent under another name too`() {
        var (state, log) = begun()
        #expect(state.handle(log.append(.state(.ended), isKept: false).input) == [.open(.passing), .finish])
        #expect(state.handle(.opened(log.crossing, .passing, channel: 2)) == [])
        #expect(state.phase == .delivering)
    }

    @Test func `a damaged line of the journal keeps its number, is sent empty, and is reported once`() throws {
        var state = begun().0
        state = MirrorState(of: session, includesNotifications: false, now: .distantPast, pace: .wall)
        var crossing = SessionUnderTest(session).crossing
        crossing.add(.unreadable(reason: "damaged"), Array("{\"at\"\n".utf8), at: 2)
        #expect(crossing.count == 3)
        let effects = state.handle(.opened(crossing, .lasting, channel: 1))
        guard case .report(let line)? = effects.first, effects.count == 1 else {
            Issue.record("\(effects)")
            return
        }
        #expect(line.hasPrefix("1 line of the session's journal cannot be read"))
        #expect(state.handle(.opened(crossing, .lasting, channel: 2)) == [])
    }

    @Test func `an unreadable log ends the mirroring, and callers get the error`() {
        var (state, _) = begun()
        _ = state.handle(.waits(1, seconds: 10))
        #expect(state.handle(.failed) == [.close, .detach, .answer([1], .ended)])
        #expect(state.phase == .over)
    }

    // MARK: Presence

    @Test func `callers are answered once a companion connects, and only once`() {
        var (state, _) = begun()
        #expect(state.handle(.waits(1, seconds: 10)) == [.wake(.waiting(1), seconds: 10)])
        #expect(state.handle(received(.connected(phone))).first == .answer([1], nil))
        #expect(state.handle(.rang(.waiting(1))) == [])
        #expect(state.handle(.waits(2, seconds: 10)) == [.answer([2], nil)])
    }

    @Test func `without an answer the reason is reported when the time is over`() {
        var (state, _) = begun()
        _ = state.handle(.waits(1, seconds: 10))
        let address = MirrorAddress("host:1")!
        _ = state.handle(received(.waiting(address, reason: "refused")))
        #expect(state.handle(.rang(.waiting(1))) == [.answer([1], .notFound([address.description: "refused"]))])
        #expect(state.phase == .mirroring)
    }

    @Test func `each loss has its own grace period`() {
        var (state, _) = begun()
        join(phone, &state)
        #expect(state.handle(received(.disconnected(phone, reason: "gone"))) == [.wake(.missing(1), seconds: 2)])
        _ = state.handle(received(.connected(phone)))
        _ = state.handle(received(.disconnected(phone, reason: "gone again")))
        #expect(state.handle(.rang(.missing(1))) == [])
        #expect(state.handle(.rang(.missing(2))) == [.notify(.outOfReach(["phone": "gone again"]))])
        #expect(state.handle(.rang(.missing(2))) == [])
        _ = state.handle(received(.connected(phone)))
        #expect(state.contact == .there)
    }

    @Test func `nothing is lost while one of two companions is connected`() {
        var (state, _) = begun()
        join(phone, &state)
        join(tablet, &state)
        #expect(state.handle(received(.disconnected(phone, reason: "gone"))) == [])
        #expect(state.handle(received(.disconnected(tablet, reason: "gone"))) == [.wake(.missing(1), seconds: 2)])
    }

    @Test func `mirroring that every companion declined is over, and callers get the reason`() {
        var (state, log) = begun()
        _ = state.handle(.waits(1, seconds: 10))
        let effects = state.handle(received(.closed(phone, .declined), hasLinks: false))
        let absence = MirrorUnavailability.dismissed(["phone": "the other machine declined it"])
        #expect(Array(effects.dropFirst()) == [.close, .detach, .answer([1], absence)])
        #expect(state.phase == .dismissed)
        #expect(state.handle(.waits(2, seconds: 10)) == [.answer([2], absence)])
        #expect(state.handle(log.append(.state(.paused)).input) == [])
    }

    @Test func `a connected companion that closes is reported to the app if nobody waits`() {
        var (state, _) = begun()
        join(phone, &state)
        let effects = state.handle(received(.closed(phone, .forgotten), hasLinks: false))
        #expect(effects.contains { if case .notify(.dismissed) = $0 { true } else { false } })
    }

    @Test func `if one of two companions declines, mirroring to the other continues`() {
        var (state, log) = begun()
        join(tablet, &state)
        let effects = state.handle(received(.closed(phone, .declined)))
        #expect(effects == [.report("mirroring to phone has ended: the other machine declined it")])
        let (input, line) = log.append(.state(.paused))
        #expect(state.handle(input) == [.send(line)])
    }

    @Test func `a companion that closed a channel while away gets another one`() {
        var (state, _) = begun()
        join(phone, &state)
        _ = state.handle(received(.disconnected(phone, reason: "gone")))
        var alone = state
        #expect(alone.handle(received(.closed(phone, .closedByPeer), hasLinks: false)) == [.open(.lasting)])
        join(tablet, &state)
        #expect(state.handle(received(.closed(phone, .closedByPeer), hasLinks: true)) == [.open(.lasting)])
    }

    @Test func `requests are known as done even while the log is being told`() {
        var (state, log) = begun()
        join(phone, &state)
        _ = state.handle(received(.began(phone, greeting: [], log: UUID(), first: 1)))
        let lines = [Self.line(.event(.instant(.lap))), Self.line(.remoteData(Data([7])))]
        for effect in state.handle(received(.entries(phone, lines, first: 1))) {
            // On a full disk, the first of the notes opens another channel.
            if case .note(let progress) = effect { _ = state.handle(log.append(.companion(progress)).input) }
            #expect(state.done[phone.fingerprint]?.through == 2)
        }
    }

    @Test func `a newer link to the same machine ends nothing`() {
        var (state, _) = begun()
        join(phone, &state)
        #expect(state.handle(received(.closed(phone, .replaced))) == [])
    }

    @Test func `messages of a replaced channel are ignored`() {
        var (state, log) = begun()
        join(phone, &state)
        _ = state.handle(.opened(log.crossing, .passing, channel: 2))
        #expect(state.handle(received(.closed(phone, .declined), hasLinks: false)) == [])
        #expect(state.handle(received(.entries(phone, [Self.line(.event(.instant(.lap)))], first: 1))) == [])
    }

    // MARK: Work for companions

    static func line(_ content: SessionEntry.Content) -> [UInt8] {
        SessionUnderTest.line(SessionEntry(Date(timeIntervalSinceReferenceDate: 0), content))
    }

    @Test func `a request is noted before it is done, and data after it was handed over`() {
        var (state, _) = begun()
        join(phone, &state)
        let log = UUID()
        _ = state.handle(received(.began(phone, greeting: [], log: log, first: 1)))
        let (lap, end) = (SessionEntry.Content.event(.instant(.lap)), SessionEntry.Content.state(.ended))
        let lines = [lap, .remoteData(Data([7])), end, .remoteData(Data([8]))].map(Self.line)
        let effects = state.handle(received(.entries(phone, lines, first: 1)))
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(
            effects == [
                note(phone, received: 0, done: MirrorPosition(log: log, through: 1)), .grant(SessionEntry(date, lap)),
                .hand([Data([7])]),
                note(phone, received: 0, done: MirrorPosition(log: log, through: 3)), .grant(SessionEntry(date, end)),
                .hand([Data([8])]), note(phone, received: 0, done: MirrorPosition(log: log, through: 4)),
            ])
    }

    @Test func `a companion that restarts asks from the beginning`() {
        var (state, _) = begun()
        join(phone, &state)
        let (first, second) = (UUID(), UUID())
        _ = state.handle(received(.began(phone, greeting: [], log: first, first: 1)))
        _ = state.handle(received(.entries(phone, [Self.line(.event(.instant(.lap)))], first: 1)))
        #expect(state.done[phone.fingerprint] == MirrorPosition(log: first, through: 1))
        _ = state.handle(received(.began(phone, greeting: [], log: second, first: 1)))
        #expect(state.done[phone.fingerprint] == MirrorPosition(log: second, through: 0))
    }

    @Test func `a primary that restarts knows from its log what companions received and requested`() {
        let log = SessionUnderTest(session)
        let requests = UUID()
        log.append(.remoteData(Data([1])))
        log.append(.remoteData(Data([2])))
        log.append(
            .companion(
                CompanionProgress(
                    companion: phone.fingerprint.description, received: 1, done: .init(log: requests, through: 5))))
        var state = MirrorState(of: session, includesNotifications: false, now: .distantPast, pace: .wall)
        _ = state.handle(.opened(log.crossing, .lasting, channel: 1))
        #expect(state.done == [phone.fingerprint: MirrorPosition(log: requests, through: 5)])
        let greeting = state.greeting(for: phone.fingerprint, now: nil)
        #expect(greeting.acknowledged == [phone.fingerprint.description: 3])
        // It was connected before, so what was sent meanwhile is for it.
        #expect(state.handle(received(.connected(phone))) == [])
    }

    @Test func `data counts as received once the companion reached that position`() {
        var (state, log) = begun()
        join(phone, &state)
        for byte in 1...3 { _ = state.handle(log.append(.remoteData(Data([UInt8(byte)]))).input) }
        // The link is back. The phone had nothing of the log yet, and gets all five entries.
        join(phone, &state)
        #expect(state.handle(received(.acknowledged(phone, through: 4))) == [])
        #expect(state.handle(received(.acknowledged(phone, through: 5))) == [note(phone, received: 3)])
        #expect(state.handle(received(.acknowledged(phone, through: 5))) == [])
    }

    @Test func `an unreadable request is refused; earlier ones are done, and later ones are not`() {
        var (state, _) = begun()
        join(phone, &state)
        let log = UUID()
        _ = state.handle(received(.began(phone, greeting: [], log: log, first: 1)))
        let lines = [Self.line(.remoteData(Data([7]))), Array("{\"at\":oh}\n".utf8), Self.line(.state(.ended))]
        let effects = state.handle(received(.entries(phone, lines, first: 1)))
        #expect(
            effects.prefix(2) == [
                .hand([Data([7])]), note(phone, received: 0, done: MirrorPosition(log: log, through: 1)),
            ])
        guard effects.count == 3, case .refuse(phone.fingerprint, let reason) = effects[2] else {
            Issue.record("\(effects)")
            return
        }
        #expect(reason.hasPrefix("request 2 cannot be read"))
        // Data that had already arrived.
        #expect(state.handle(received(.entries(phone, [Self.line(.state(.ended))], first: 4))) == [])
        #expect(state.done[phone.fingerprint] == MirrorPosition(log: log, through: 1))
    }

    @Test func `a request of a later version is reported and does not block others`() {
        var (state, _) = begun()
        join(phone, &state)
        let lines = [Array("{\"at\":\"2026-01-01T00:00:00Z\",\"dance\":1}\n".utf8), Self.line(.event(.instant(.lap)))]
        let effects = state.handle(received(.entries(phone, lines, first: 1)))
        #expect(effects.contains { if case .report = $0 { true } else { false } })
        #expect(effects.contains { if case .grant = $0 { true } else { false } })
    }

    // MARK: The end

    @Test func `a session without a workout is delivered, and its journal is removed when all have it`() {
        var (state, log) = begun()
        join(phone, &state)
        let (input, line) = log.append(.state(.ended))
        #expect(state.handle(input) == [.send(line), .finish])
        #expect(state.handle(.delivered(true)) == [.close, .removeJournal])
        #expect(state.phase == .over)
    }

    @Test func `a companion that is absent or stuck at the end keeps the journal`() {
        var (state, log) = begun()
        _ = state.handle(log.append(.state(.ended)).input)
        #expect(state.handle(.delivered(false)) == [.close])
    }

    @Test func `a journal that others still need stays`() {
        var (state, log) = begun(keepsJournal: true)
        _ = state.handle(log.append(.state(.ended)).input)
        #expect(state.handle(.delivered(true)) == [.close])
    }

    @Test func `an unfinished workout is waited for, but not for ever`() {
        var (state, log) = begun()
        _ = state.handle(log.append(.collection(.began(events: true))).input)
        let (input, line) = log.append(.state(.ended))
        #expect(state.handle(input) == [.send(line), .wake(.unfinished, seconds: 3_600)])
        let (ended, endedLine) = log.append(.collection(.ended))
        #expect(state.handle(ended) == [.send(endedLine)])
        var abandoned = state
        #expect(abandoned.handle(.abandoned) == [.finish])
        #expect(abandoned.handle(.delivered(true)) == [.close])
        var late = state
        #expect(late.handle(.rang(.unfinished)) == [.finish])
        let (finished, finishedLine) = log.append(.collection(.finished))
        #expect(state.handle(finished) == [.send(finishedLine), .finish])
        #expect(state.handle(.delivered(true)) == [.close, .removeJournal])
    }

    @Test func `a stopped mirroring is delivered once, and the session keeps its journal`() {
        var (state, log) = begun()
        _ = state.handle(.waits(1, seconds: 10))
        #expect(state.handle(.finished) == [.finish, .answer([1], .ended)])
        #expect(state.handle(.finished) == [])
        #expect(state.handle(log.append(.state(.paused)).input) == [])
        #expect(state.handle(.delivered(true)) == [.close])
    }

    @Test func `a session released before its end is no longer mirrored`() {
        var (state, _) = begun()
        #expect(state.handle(.abandoned) == [.close])
        #expect(state.phase == .over)
        #expect(state.handle(.abandoned) == [])
    }
}

/// A log as a primary has it.
final class SessionUnderTest {
    private(set) var entries: [SessionEntry] = []
    private(set) var lines: [[UInt8]] = []
    private var seconds = 0.0

    init(_ session: UUID) {
        append(.header(SessionHeader(id: session, activity: ActivityDescription())))
        append(.state(.running))
    }

    @discardableResult
    func append(_ content: SessionEntry.Content, isKept: Bool = true) -> (input: MirrorState.Input, line: [UInt8]) {
        seconds += 1
        let entry = SessionEntry(Date(timeIntervalSinceReferenceDate: seconds), content)
        entries.append(entry)
        lines.append(Self.line(entry))
        return (.appended(entry, place: entries.count - 1, isKept: isKept), Self.line(entry))
    }

    var crossing: CrossingLog {
        var crossing = CrossingLog(includesNotifications: false)
        for (place, entry) in entries.enumerated() { crossing.add(.entry(entry), lines[place], at: place) }
        return crossing
    }

    static func line(_ entry: SessionEntry) -> [UInt8] {
        var encoder = SessionLogEncoder()
        try? encoder.append(entry)
        return encoder.bytes
    }
}

extension PeerFingerprint {
    static func of(_ byte: UInt8) -> PeerFingerprint { PeerFingerprint(bytes: [UInt8](repeating: byte, count: 32))! }
}
