public import Foundation

extension MirrorChannel {
    /// A channel whose events are read with `for await`. See ``MirrorEvents`` for back-pressure and end.
    public static func withEvents(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8] = { _ in [] },
        received: [PeerFingerprint: MirrorPosition] = [:]
    ) -> (channel: MirrorChannel, events: MirrorEvents) {
        let events = MirrorEvents()
        let channel = MirrorChannel(
            id: id, source: source, greeting: greeting, received: received, delivery: events.delivery)
        return (channel, events)
    }
}
