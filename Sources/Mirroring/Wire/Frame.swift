package import Foundation

/// One message of the protocol, version 1.
package enum Frame: Equatable {
    /// The first frame in each direction.
    case hello(Hello)
    /// Consecutive entries of the sender's log.
    case entries(first: UInt64, [[UInt8]])
    /// Every entry up to this number was handled.
    case acknowledged(UInt64)
    /// Sent if nothing else was sent for a while, so silence means that the link is dead.
    case alive
    /// Requests an `alive` at once.
    case ping
    /// The sender's log ends with this entry.
    case finished(UInt64)
    /// The receiver has all entries of a finished log, and knows that it is finished.
    case finishAcknowledged
    /// The sender closes the link for this reason.
    case bye(Bye, String)
    /// A step of pairing (``PairingExchange``).
    case pairing(PairingStep)

    /// Why a link is closed.
    package enum Bye: UInt8, CaseIterable {
        case closed = 1
        case declined
        case replaced
        case incompatible
        /// Not now; ask again.
        case later
    }
}

/// The first frame of each side. Magic and version have the same position in every version of the protocol.
package struct Hello: Equatable {
    package static let magic: [UInt8] = Array("OHKM".utf8)
    package static let version: UInt16 = 1

    package var channel: UUID
    /// The log that this side sends, and the numbers of the first entry that it can send and of the last.
    package var log: UUID
    package var first: UInt64
    package var count: UInt64
    /// How much of the other side's log this side has.
    package var received: MirrorPosition?
    package var greeting: [UInt8]

    package init(
        channel: UUID, log: UUID, first: UInt64, count: UInt64, received: MirrorPosition?, greeting: [UInt8]
    ) {
        self.channel = channel
        self.log = log
        self.first = first
        self.count = count
        self.received = received
        self.greeting = greeting
    }
}

/// The reason why bytes are not a frame. The sender is broken or hostile, so the connection is closed.
package enum FrameError: Error, Equatable, CustomStringConvertible {
    case oversized(Int)
    case unknownType(UInt8)
    case malformed(type: UInt8)
    case notThisProtocol
    case version(UInt16)

    package var description: String {
        switch self {
        case .oversized(let length): "a frame of \(length) bytes; \(MirrorLimits.frame) are allowed"
        case .unknownType(let type): "a frame of the unknown type \(type)"
        case .malformed(let type): "a malformed frame of type \(type)"
        case .notThisProtocol: "it does not speak the mirroring protocol"
        case .version(let version):
            "it speaks version \(version) of the protocol, this machine version \(Hello.version)"
        }
    }
}
