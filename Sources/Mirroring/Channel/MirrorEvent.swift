public import Foundation

/// An event on a channel. Events of one peer come in order and one at a time.
public enum MirrorEvent: Sendable, Hashable {
    /// The link to a peer is up, and each side knows which entries the other has. Repeated after each reconnect.
    case connected(Peer)
    /// The peer's log begins. If the peer's process was restarted, this is a new log (`log` differs): discard the
    /// entries of the earlier one. Entries follow from number `first`.
    case began(Peer, greeting: [UInt8], log: UUID, first: UInt64)
    /// Entries of the peer's log, in order, each exactly once. `first` is the number of the first one. They are acknowledged to the
    /// peer once the handler has returned.
    case entries(Peer, [[UInt8]], first: UInt64)
    /// The peer has received and handled every entry of this side's log up to this number.
    case acknowledged(Peer, through: UInt64)
    /// The link to a peer was lost. It reconnects and continues by itself.
    case disconnected(Peer, reason: String)
    /// A peer that this side connects to could not be reached. Attempts continue. Only reported if the reason changes.
    case waiting(MirrorAddress, reason: String)
    /// The peer finished its log, and everything in it was delivered. The last event of this peer.
    case ended(Peer)
    /// The peer has everything of this side's log, which was finished. The last event of this peer.
    case delivered(Peer)
    /// Nothing more will come from this peer, although neither log was finished.
    case closed(Peer?, MirrorClosure)
}

/// Why a channel to one peer was closed before its log ended.
public enum MirrorClosure: Sendable, Hashable {
    /// The peer closed the channel (`MirrorChannel.close()`).
    case closedByPeer
    /// The peer does not want this channel.
    case declined
    /// Another process of this machine opened the same channel, and replaces this connection.
    case replaced
    /// The peer speaks another version of the protocol, or not this protocol.
    case incompatible(String)
    /// The peer was unpaired on this machine. (A peer that has unpaired this machine sends nothing.)
    case forgotten
    /// An entry or the greeting was longer than ``MirrorLimits/entry``, so the logs can't become equal.
    case entryTooLarge(bytes: Int)
}
