#if Mirroring
/// A peer of a channel, whether it is connected or not.
///
/// @unchecked Sendable: touched on the reactor's loop only.
final class ChannelParty: @unchecked Sendable {
    var peer: Peer
    var receiver: LogReceiver
    var acknowledged: UInt64 = 0
    var connection: (any ChannelLink)?
    var isDelivered = false
    var hasEnded = false
    /// The consumer has handled the end, and so everything before it.
    var isEndHandled = false
    /// It sent what this side cannot take.
    var isRefused = false
    /// Nothing more comes from or goes to this peer, unless it connects again.
    var isDone = false
    /// What waits for the consumer, of every log and connection together.
    var waitingBytes = 0

    init(_ peer: Peer, _ receiver: LogReceiver) {
        self.peer = peer
        self.receiver = receiver
    }

    /// Whether a hello of this peer can be taken in now. One whose log begins anew again and again while the consumer is
    /// busy would fill the memory with what is void.
    func hasRoom(for hello: Hello) -> Bool {
        guard waitingBytes > MirrorLimits.window else { return true }
        var receiver = receiver
        return !receiver.began(hello) && waitingBytes <= 2 * MirrorLimits.window
    }
}
#endif
