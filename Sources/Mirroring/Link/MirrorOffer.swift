public import Foundation

/// A channel that a peer opened and that this process has not seen yet.
public struct MirrorOffer: Sendable, Hashable {
    public let peer: Peer
    /// The name of the channel; the ``MirrorChannel`` that answers must have the same.
    public let channel: UUID
    /// The compact start.
    public let greeting: [UInt8]
    /// The peer's log, and how many entries it has now.
    public let log: MirrorPosition
    /// Of the connections that came in, which one this is: a later one has a higher number. An offer with a lower number than
    /// one of before was long on its way.
    public let arrival: Int
}
