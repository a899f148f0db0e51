public import Foundation

/// A new channel that a peer opened.
public struct MirrorOffer: Sendable, Hashable {
    public let peer: Peer
    /// The channel's name. The ``MirrorChannel`` that answers must have the same one.
    public let channel: UUID
    /// The peer's greeting.
    public let greeting: [UInt8]
    /// The peer's log, and its number of entries.
    public let log: MirrorPosition
    /// The number of the incoming connection. Later ones have higher numbers, so an offer with a lower number than an
    /// earlier one was delayed.
    public let arrival: Int
}
