import Foundation
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Mirroring

@Suite struct DeliveryWaitsTests {
    /// A channel whose log of three entries is finished, on a loop whose time the test controls.
    private struct Bench {
        let loop = EmbeddedEventLoop()
        let end: ChannelEnd
        let peer: Peer
        let answers = WaitingLog<Bool>()

        init() throws {
            peer = Peer(fingerprint: try Machine("phone").host.identity.fingerprint, name: "phone")
            end = ChannelEnd(
                id: UUID(), source: .memory(), greeting: { _ in [] }, received: [:], delivery: .direct { _ in },
                reactor: MirrorReactor(loop: loop, isDriven: true))
            for number in 1...3 { _ = end.append(bytes(number)) }
            end.finish()
            _ = end.hello(to: peer)
            end.whenDelivered(within: .seconds(30)) { [answers] in answers.add($0) }
        }
    }

    @Test func `waiting for a slow peer continues while it makes progress`() throws {
        let bench = try Bench()
        for number in UInt64(1)...3 {
            bench.loop.advanceTime(by: .seconds(29))
            bench.end.acknowledged(through: number, by: bench.peer)
        }
        bench.loop.advanceTime(by: .seconds(29))
        #expect(bench.answers.all == [])
        bench.end.finishAcknowledged(by: bench.peer)
        #expect(bench.answers.all == [true])
        bench.loop.advanceTime(by: .seconds(60))
        #expect(bench.answers.all == [true])
    }

    @Test func `a peer that makes no progress is no longer waited for, whatever it repeats`() throws {
        let bench = try Bench()
        bench.end.acknowledged(through: 2, by: bench.peer)
        bench.loop.advanceTime(by: .seconds(20))
        bench.end.acknowledged(through: 2, by: bench.peer)
        bench.loop.advanceTime(by: .seconds(9))
        #expect(bench.answers.all == [])
        bench.loop.advanceTime(by: .seconds(1))
        #expect(bench.answers.all == [false])
    }

    @Test func `a connected peer without progress is waited for longer, but not for ever`() {
        let loop = EmbeddedEventLoop()
        let waits = DeliveryWaits()
        let (there, gone) = (WaitingLog<Bool>(), WaitingLog<Bool>())
        waits.add(within: .seconds(30), on: loop, while: { true }) { there.add($0) }
        waits.add(within: .seconds(30), on: loop, while: { false }) { gone.add($0) }
        loop.advanceTime(by: .seconds(30))
        #expect(gone.all == [false])
        loop.advanceTime(by: .seconds(500))
        #expect(there.all == [])
        waits.prolong()
        loop.advanceTime(by: .seconds(599))
        #expect(there.all == [])
        loop.advanceTime(by: .seconds(1))
        #expect(there.all == [false])
    }
}
