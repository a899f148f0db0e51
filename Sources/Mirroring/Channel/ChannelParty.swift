#if Mirroring
/// A peer of a channel, whether it is connected or not.
///
/// @unchecked Sendable: only used on the reactor's loop.
final class ChannelParty: @unchecked Sendable {
    var peer: Peer
    var receiver: LogReceiver
    var acknowledged: UInt64 = 0
    var connection: (any ChannelLink)?
    var isDelivered = false
    var hasEnded = false
    /// Whether the consumer has handled the end of the log, and everything before it.
    var isEndHandled = false
    /// Whether it sent entries that this side can't read.
    var isRefused = false
    /// Whether nothing more is exchanged with this peer unless it connects again.
    var isDone = false
    /// The number of bytes that wait for the consumer, from all logs and connections of the peer.
    var waitingBytes = 0

    init(_ peer: Peer, _ receiver: LogReceiver) {
        self.peer = peer
        self.receiver = receiver
    }

    /// Returns whether a hello of this peer can be accepted now. A peer that starts new logs again and again while the
    /// consumer is busy would fill the memory with discarded entries.
    func hasRoom(for hello: Hello) -> Bool {
        guard waitingBytes > MirrorLimits.window else { return true }
        var receiver = receiver
        return !receiver.began(hello) && waitingBytes <= 2 * MirrorLimits.window
    }
}
#endif
