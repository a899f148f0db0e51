import Testing

@testable import Mirroring

@Suite struct MirrorLinkTests {
    private let start = ContinuousClock.now

    @Test func `attempts follow after 0.25 s, then at doubled intervals up to ten seconds`() {
        var link = MirrorLink()
        #expect(link.start() == .connect)
        var now = start
        var waits: [Duration] = []
        for _ in 0..<8 {
            link.failed(at: now, jitter: 0)
            let failed = now
            while link.tick(at: now) == .none { now += .milliseconds(250) }
            waits.append(now - failed)
        }
        #expect(waits == [0.25, 0.5, 1, 2, 4, 8, 10, 10].map { .seconds($0) })
    }

    @Test func `jitter spreads attempts, but never beyond ten seconds`() {
        var link = MirrorLink()
        _ = link.start()
        link.failed(at: start, jitter: 0.999)
        guard case .waiting(1, let until) = link.state else {
            Issue.record("\(link.state)")
            return
        }
        #expect(until - start > .milliseconds(370) && until - start < .milliseconds(376))
    }

    @Test func `a link that was good for a while is retried at once, and another one waits longer`() {
        var good = MirrorLink()
        _ = good.start()
        for _ in 0..<5 {
            good.failed(at: start, jitter: 0)
            _ = good.tick(at: start + .seconds(20))
        }
        var bad = good
        good.helloExchanged(at: start)
        good.failed(at: start + .seconds(5), jitter: 0)
        #expect(good.state == .waiting(attempt: 1, until: start + .seconds(5.25)))
        bad.helloExchanged(at: start)
        bad.failed(at: start + .seconds(4), jitter: 0)
        #expect(bad.state == .waiting(attempt: 6, until: start + .seconds(12)))
    }

    @Test func `a machine that slept retries at once`() {
        var link = MirrorLink()
        _ = link.start()
        for _ in 0..<6 {
            link.failed(at: start, jitter: 0)
            _ = link.tick(at: start + .seconds(20))
        }
        link.failed(at: start + .seconds(20), jitter: 0)
        #expect(link.tick(at: start + .seconds(20.25)) == .none)
        #expect(link.tick(at: start + .seconds(25)) == .connect)
    }

    @Test func `a stopped link stays stopped`() {
        var link = MirrorLink()
        _ = link.start()
        link.stop()
        link.failed(at: start, jitter: 0)
        #expect(link.tick(at: start + .seconds(100)) == .none)
        #expect(link.start() == .none)
    }

    @Test func `a standby link does nothing until it takes over at once`() {
        var link = MirrorLink()
        _ = link.start()
        link.standBy()
        link.failed(at: start, jitter: 0)
        #expect(link.tick(at: start + .seconds(3_600)) == .none)
        #expect(link.state == .onStandby)
        #expect(link.redial() == .connect)
        #expect(link.state == .connecting(attempt: 0))
        #expect(link.redial() == .none)
    }
}
