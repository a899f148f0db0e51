import Foundation
import NIOCore
import Testing

@testable import Mirroring

/// Channels that are opened again under a known name.
@Suite(.timeLimit(.minutes(10))) struct ReopenedChannelTests {
    private func receive(
        _ hello: Hello, _ phone: Machine, from peer: Peer, _ accept: @escaping @Sendable (MirrorOffer) -> MirrorAnswer
    ) async throws -> String {
        try await phone.reactor.loop.submit {
            switch phone.host.core.receive(hello, from: peer, arrival: 1, { accept($0).reception }) {
            case .attach: "attach"
            case .dismiss(let bye, _): "\(bye)"
            }
        }.get()
    }

    private func hello(_ channel: UUID, received: MirrorPosition? = nil) -> Hello {
        Hello(channel: channel, log: UUID(), first: 1, count: 0, received: received, greeting: [])
    }

    @Test
    func `a channel closed while its peer was away is closed to that peer, and open to a new one`()
        async throws
    {
        let phone = try Machine("phone")
        let peer = Peer(fingerprint: PeerFingerprint(ofDER: [1]), name: "watch")
        let (id, log) = (UUID(), UUID())
        let channel = phone.channel(EventLog(), id: id, source: .memory(log: log))
        #expect(try await receive(hello(id), phone, from: peer) { _ in .accept(channel) } == "attach")
        channel.close()
        // The process was restarted and knows nothing of the closed channel.
        let second = phone.channel(EventLog(), id: id)
        #expect(try await receive(hello(id), phone, from: peer) { _ in .accept(second) } == "attach")
        second.close()
        let third = phone.channel(EventLog(), id: id, source: .memory(log: log))
        #expect(try await receive(hello(id), phone, from: peer) { _ in .accept(third) } == "attach")
        third.close()
        let known = hello(id, received: MirrorPosition(log: log, through: 0))
        #expect(try await receive(known, phone, from: peer) { _ in .decline } == "closed")
    }

    @Test func `a peer may open a limited number of channels, without affecting others`() async throws {
        let phone = try Machine("phone")
        let peer = Peer(fingerprint: PeerFingerprint(ofDER: [1]), name: "watch")
        let other = Peer(fingerprint: PeerFingerprint(ofDER: [2]), name: "desk")
        let accept: @Sendable (MirrorOffer) -> MirrorAnswer = { .accept(phone.channel(EventLog(), id: $0.channel)) }
        let open = try await phone.reactor.loop.submit {
            (0..<MirrorLimits.channels).count { _ in
                if case .attach = phone.host.core.receive(
                    hello(UUID()), from: peer, arrival: 1, { accept($0).reception })
                {
                    true
                } else {
                    false
                }
            }
        }.get()
        #expect(open == MirrorLimits.channels)
        #expect(try await receive(hello(UUID()), phone, from: peer, accept) == "later")
        #expect(try await receive(hello(UUID()), phone, from: other, accept) == "attach")
    }
}
