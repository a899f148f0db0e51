import Foundation
import Mirroring
import SessionLog
import Testing

@testable import Engine

/// Scenarios of the following machine.
@Suite struct FollowStateTests {
    private let session = UUID()
    private let watch = Peer(fingerprint: .of(1), name: "watch")
    private let own = PeerFingerprint.of(2)
    private let now = Date(timeIntervalSinceReferenceDate: 1_000)

    private func received(_ event: MirrorEvent, channel: Int = 1) -> FollowState.Input {
        .received(event, channel: channel, wall: now)
    }

    private func joined() -> FollowState {
        var state = FollowState(session, from: watch, to: own, requests: UUID())
        _ = state.handle(.answered(channel: 1, arrival: 1))
        _ = state.handle(received(.connected(watch)))
        return state
    }

    /// The primary greets with the state of its log. This machine's data arrived there up to `acknowledged`.
    private func began(_ log: SessionUnderTest, acknowledged: UInt64? = nil) -> FollowState.Input {
        let greeting = MirrorGreeting(
            session: session, header: String(decoding: log.lines[0], as: UTF8.self), count: UInt64(log.lines.count),
            now: now, pace: .wall, acknowledged: acknowledged.map { [own.description: $0] } ?? [:])
        return received(.began(watch, greeting: greeting.bytes, log: UUID(), first: 1))
    }

    private func entries(_ lines: some Collection<[UInt8]>, from first: UInt64 = 1) -> FollowState.Input {
        received(.entries(watch, Array(lines), first: first))
    }

    /// A follower whose log is as long as the primary's.
    private func following() -> (FollowState, SessionUnderTest) {
        var state = joined()
        let log = SessionUnderTest(session)
        _ = state.handle(began(log))
        _ = state.handle(entries(log.lines))
        return (state, log)
    }

    private func data(_ effects: [FollowState.Effect]) -> [Data] {
        effects.flatMap { if case .hand(let data) = $0 { data } else { [Data]() } }
    }

    // MARK: The primary's log

    @Test func `an app gets the session with its whole history, and each later entry`() {
        var state = joined()
        let log = SessionUnderTest(session)
        #expect(state.handle(began(log)) == [.beginAnew(pace: .wall, now: now, keepsKnown: false)])
        #expect(state.handle(entries(log.lines.prefix(1))) == [.followSilently([log.entries[0]])])
        log.append(.state(.paused))
        #expect(
            state.handle(entries(log.lines.dropFirst(), from: 2)) == [
                .followSilently([log.entries[1]]), .announce, .follow([log.entries[2]]),
            ])
        #expect(state.phase == .live)
    }

    @Test func `data and entries arrive in the primary's order, consecutive entries together`() {
        var (state, log) = following()
        log.append(.state(.paused))
        for byte in 1...2 { log.append(.remoteData(Data([UInt8(byte)]))) }
        log.append(.state(.running))
        let effects = state.handle(entries(log.lines[2...], from: 3))
        #expect(
            effects == [
                .follow([log.entries[2]]), .followSilently(Array(log.entries[3...4])), .hand([Data([1]), Data([2])]),
                .follow([log.entries[5]]),
            ])
    }

    @Test func `data sent before a machine joined is for others, and waiting data arrives with the session`() {
        var state = joined()
        let log = SessionUnderTest(session)
        for byte in 1...3 { log.append(.remoteData(Data([UInt8(byte)]))) }
        var late = state
        _ = late.handle(began(log))
        #expect(data(late.handle(entries(log.lines))) == [])
        _ = state.handle(began(log, acknowledged: 3))
        let effects = state.handle(entries(log.lines))
        #expect(effects.suffix(2) == [.announce, .hand([Data([2]), Data([3])])])
    }

    @Test func `data that waits for the app survives a log that begins anew`() {
        var state = joined()
        let log = SessionUnderTest(session)
        log.append(.remoteData(Data([1])))
        log.append(.state(.paused))
        _ = state.handle(began(log, acknowledged: 0))
        _ = state.handle(entries(log.lines.prefix(3)))
        // The primary knows that the data has arrived.
        _ = state.handle(began(log, acknowledged: 3))
        #expect(data(state.handle(entries(log.lines))) == [Data([1])])
    }

    @Test func `data arrives once, even if the primary restarts without knowing it was delivered`() {
        var (state, log) = following()
        log.append(.remoteData(Data([1])))
        #expect(data(state.handle(entries(log.lines[2...], from: 3))) == [Data([1])])
        log.append(.remoteData(Data([1])))
        _ = state.handle(began(log, acknowledged: 0))
        #expect(data(state.handle(entries(log.lines))) == [Data([1])])
        // It does not come again either if the session is over here and is offered once more.
        var again = FollowState(session, from: watch, to: own, requests: UUID(), taken: state.taken)
        _ = again.handle(.answered(channel: 1, arrival: 1))
        _ = again.handle(began(log, acknowledged: 0))
        #expect(data(again.handle(entries(log.lines))) == [])
    }

    @Test func `data that no app had when the session closed arrives again, and delivered data does not`() {
        var (state, log) = following()
        log.append(.remoteData(Data([1])))
        #expect(data(state.handle(entries(log.lines[2...], from: 3))) == [Data([1])])
        for byte in 2...3 { log.append(.remoteData(Data([UInt8(byte)]))) }
        // Under another name; it is closed before this machine has caught up with the primary.
        _ = state.handle(began(log, acknowledged: 0))
        #expect(data(state.handle(entries(log.lines.dropLast()))) == [])
        #expect(state.handle(received(.closed(watch, .closedByPeer))).last == .forget)
        var again = FollowState(session, from: watch, to: own, requests: UUID(), taken: state.taken)
        _ = again.handle(.answered(channel: 1, arrival: 2))
        _ = again.handle(began(log, acknowledged: 0))
        #expect(data(again.handle(entries(log.lines))) == [Data([2]), Data([3])])
    }

    @Test func `data that a primary sends after a power loss is new, even at a reused position`() {
        var (state, log) = following()
        log.append(.remoteData(Data([1])))
        _ = state.handle(entries(log.lines[2...], from: 3))
        let left = SessionUnderTest(session)
        left.append(.remoteData(Data([2])))
        _ = state.handle(began(left, acknowledged: 0))
        #expect(data(state.handle(entries(left.lines))) == [Data([2])])
    }

    @Test func `an app that knows the session gets the differences when the log begins anew`() {
        var (state, log) = following()
        #expect(state.handle(began(log)) == [.beginAnew(pace: .wall, now: now, keepsKnown: true)])
        #expect(state.handle(entries(log.lines)) == [.followSilently(log.entries), .notifyDifferences])
    }

    @Test func `an unreadable line is reported to everybody, and nothing after it is used`() {
        var (state, log) = following()
        log.append(.state(.paused))
        let lines = [log.lines[2], Array("{\"at\":\n".utf8), log.lines[2]]
        let effects = state.handle(entries(lines, from: 3))
        #expect(effects.first == .follow([log.entries[2]]))
        guard effects.count == 5, case .refuse(watch.fingerprint, let reason) = effects[1],
            case .report(let line) = effects[2], case .notify(.closed(peer: "watch", reason: _)?) = effects[3]
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(reason.hasPrefix("entry 4 of its session cannot be read"))
        #expect(line.contains(reason))
        #expect(effects[4] == .forget)
        #expect(state.count == 3)
        #expect(state.handle(entries([log.lines[2]], from: 6)) == [])
    }

    @Test func `an entry of a later version is reported once, keeps its number, and does not affect others`() {
        var (state, log) = following()
        let unknown = Array("{\"at\":\"2026-01-01T00:00:00Z\",\"dance\":1}\n".utf8)
        log.append(.state(.paused))
        let effects = state.handle(entries([unknown, CrossingLog.blank, unknown, log.lines[2]], from: 3))
        #expect(effects.count { if case .report = $0 { true } else { false } } == 1)
        #expect(effects.last == .follow([log.entries[2]]))
        #expect(state.count == 6)
    }

    @Test func `a greeting of another version is refused`() {
        var state = joined()
        let effects = state.handle(received(.began(watch, greeting: [1, 2], log: UUID(), first: 1)))
        #expect(effects.first == .refuse(watch.fingerprint, reason: "its greeting has another version"))
        // No app has the session, so no delegate is called.
        #expect(effects.last == .forget && effects.count == 3)
    }

    @Test func `a finished workout is saved before the primary learns that its end arrived`() {
        var (state, log) = following()
        log.append(.collection(.ended))
        log.append(.collection(.finished))
        #expect(state.handle(entries(log.lines[2...], from: 3)).last == .save)
        #expect(state.handle(received(.ended(watch))) == [.notify(nil), .forget])
    }

    // MARK: Presence

    @Test func `a primary that returns within a moment was never away`() {
        var (state, _) = following()
        let effects = state.handle(received(.disconnected(watch, reason: "gone")))
        #expect(effects == [.expireOthers, .wake(.missing(1, reason: "gone"), seconds: 2)])
        #expect(state.lostSince == now)
        #expect(state.handle(received(.connected(watch))) == [])
        #expect(state.handle(.rang(.missing(1, reason: "gone"))) == [])
    }

    @Test func `a longer absence is reported, and the same session continues`() {
        var (state, _) = following()
        _ = state.handle(received(.disconnected(watch, reason: "gone")))
        let loss = FollowLoss.outOfReach(peer: "watch", reason: "gone")
        #expect(state.handle(.rang(.missing(1, reason: "gone"))) == [.notify(loss)])
        #expect(state.handle(.rang(.missing(1, reason: "gone"))) == [])
        #expect(state.handle(received(.connected(watch))) == [.announce])
    }

    @Test func `no loss is reported before an app has the session`() {
        var state = joined()
        _ = state.handle(received(.disconnected(watch, reason: "gone")))
        #expect(state.handle(.rang(.missing(1, reason: "gone"))) == [])
    }

    @Test func `a primary that is no longer waited for is gone, unless it is connected`() {
        var (state, _) = following()
        #expect(state.handle(.expired) == [])
        _ = state.handle(received(.disconnected(watch, reason: "gone")))
        #expect(state.handle(.expired) == [.close, .notify(.expired(peer: "watch")), .forget])
        #expect(state.handle(received(.connected(watch))) == [])
        #expect(throws: FollowLoss.over) { try state.ask(SessionEntry(now, .remoteData(Data())), at: now) }
    }

    @Test func `events of a replaced channel are ignored`() {
        var (state, log) = following()
        _ = state.handle(.answered(channel: 2, arrival: 2))
        log.append(.state(.paused))
        #expect(state.handle(entries(log.lines[2...], from: 3)) == [])
        #expect(state.handle(received(.closed(watch, .closedByPeer))) == [])
        #expect(state.phase == .live)
    }

    @Test func `a delayed offer does not replace a newer one`() {
        var (state, _) = following()
        _ = state.handle(.answered(channel: 2, arrival: 7))
        #expect(state.isLate(6))
        #expect(!state.isLate(8))
    }

    @Test func `a newer link of the same primary ends nothing, and any other closure does`() {
        var (state, _) = following()
        #expect(state.handle(received(.closed(watch, .replaced))) == [])
        #expect(
            state.handle(received(.closed(watch, .closedByPeer))) == [
                .notify(.closed(peer: "watch", reason: "the other machine closed it")), .forget,
            ])
    }

    // MARK: Requests to the primary

    private let pause = SessionEntry(.distantFuture, .event(.instant(.pause)))

    @Test func `confirmed requests are not repeated, and the others keep their numbers on any channel`() throws {
        var (state, _) = following()
        let lap = SessionEntry(now, .event(.instant(.lap)))
        #expect(try state.ask(lap, at: now) == [.send(SessionUnderTest.line(lap))])
        _ = try state.ask(SessionEntry(now, .remoteData(Data([1]))), at: now)
        _ = state.handle(received(.acknowledged(watch, through: 1)))
        _ = state.handle(.answered(channel: 2, arrival: 2))
        #expect(state.requests.count == 2)
        let (lines, effects) = state.resend(from: 1, bytes: 1_000, at: now)
        #expect(lines == [CrossingLog.blank, SessionUnderTest.line(SessionEntry(now, .remoteData(Data([1]))))])
        #expect(effects == [])
    }

    @Test func `an immediate request is repeated for some seconds, then fails`() throws {
        var (state, _) = following()
        let lap = SessionEntry(now, .event(.instant(.lap)))
        _ = try state.ask(pause, at: now)
        _ = try state.ask(lap, at: now)
        let soon = state.resend(from: 1, bytes: 1_000, at: now + FollowRequests.staleInSeconds)
        #expect(soon.lines == [SessionUnderTest.line(pause), SessionUnderTest.line(lap)])
        let late = state.resend(from: 1, bytes: 1_000, at: now + FollowRequests.staleInSeconds + 1)
        #expect(late.lines == [CrossingLog.blank, SessionUnderTest.line(lap)])
        #expect(late.effects == [.failed(StaleRequest(pause.content, seconds: 11, peer: "watch"))])
        // Only once.
        #expect(state.resend(from: 1, bytes: 1_000, at: now + 60).effects == [])
    }
}
