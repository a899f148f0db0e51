/// The state of one peer of a channel.
public struct MirrorPeerState: Sendable, Hashable {
    public var peer: Peer
    public var isConnected: Bool
    /// The number of the last entry of this side's log that the peer has handled.
    public var acknowledged: UInt64
}
