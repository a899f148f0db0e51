import Testing

@testable import Mirroring

@Suite struct MirrorKeepAliveTests {
    private let start = ContinuousClock.now

    /// Ticks four times a second until an action is due. Returns it and its time.
    private func run(
        _ keepAlive: inout MirrorKeepAlive, from: Double, to: Double, hearing: ClosedRange<Double>? = nil
    ) -> [(Double, MirrorKeepAlive.Action)] {
        var actions: [(Double, MirrorKeepAlive.Action)] = []
        for step in stride(from: from, through: to, by: 0.25) {
            if let hearing, hearing.contains(step) { keepAlive.received(at: start + .seconds(step)) }
            let action = keepAlive.tick(at: start + .seconds(step))
            if action != .none { actions.append((step, action)) }
            if case .lose = action { break }
        }
        return actions
    }

    @Test func `a silent peer is lost within five seconds, and pinged every 1.5 s until then`() {
        var keepAlive = MirrorKeepAlive(now: start)
        keepAlive.connected(at: start)
        let actions = run(&keepAlive, from: 0.25, to: 10)
        #expect(actions.map(\.0) == [1.5, 3, 4.5])
        #expect(actions.last?.1 == .lose("silent for 4.5 seconds"))
    }

    @Test func `a peer that answers stays`() {
        var keepAlive = MirrorKeepAlive(now: start)
        keepAlive.connected(at: start)
        #expect(run(&keepAlive, from: 0.25, to: 60, hearing: 0...60).allSatisfy { $0.1 == .sendAlive })
    }

    @Test(arguments: [0...0, 0...10] as [ClosedRange<Double>])
    func `a connection without a greeting ends, whatever else arrives`(hearing: ClosedRange<Double>) {
        var keepAlive = MirrorKeepAlive(now: start)
        let actions = run(&keepAlive, from: 0.25, to: 5, hearing: hearing)
        #expect(actions.map(\.0) == [5])
    }

    @Test func `after a sleep the peer is pinged at once and has a second to answer`() {
        var keepAlive = MirrorKeepAlive(now: start)
        keepAlive.connected(at: start)
        #expect(keepAlive.tick(at: start + .seconds(3_600)) == .ping)
        let actions = run(&keepAlive, from: 3_600.25, to: 3_610)
        #expect(actions.first?.0 == 3_601)
        #expect(actions.first?.1 == .lose("no answer after this machine slept"))
    }

    @Test func `a peer that answers after a sleep stays`() {
        var keepAlive = MirrorKeepAlive(now: start)
        keepAlive.connected(at: start)
        #expect(keepAlive.tick(at: start + .seconds(3_600)) == .ping)
        keepAlive.received(at: start + .seconds(3_600.5))
        let actions = run(&keepAlive, from: 3_600.75, to: 3_604)
        #expect(actions.allSatisfy { $0.1 == .sendAlive })
    }
}
