package import Foundation

/// Receives one peer's log: each entry once and in order, even if it is sent again. Pure.
package struct LogReceiver {
    /// The log and the last entry that was handed to the consumer.
    package private(set) var delivered: MirrorPosition?
    /// The last entry that the consumer has handled.
    package private(set) var handled: UInt64

    package init(_ position: MirrorPosition? = nil) {
        delivered = position
        handled = position?.through ?? 0
    }

    /// The log, and the last entry that was handled.
    package var position: MirrorPosition? { delivered.map { MirrorPosition(log: $0.log, through: handled) } }

    /// Returns the entry from which sending continues: after the last one that the receiver has. If the receiver has
    /// another log, more entries than exist, or fewer than can still be sent, it is the log's first entry. Both sides
    /// compute the same result.
    package static func resume(_ position: MirrorPosition?, log: UUID, first: UInt64, count: UInt64) -> UInt64 {
        guard let position, position.log == log, position.through >= first - 1, position.through <= count else {
            return first - 1
        }
        return position.through
    }

    /// Begins the log that the peer announced. Returns whether it is a new one.
    package mutating func began(_ hello: Hello) -> Bool {
        let through = Self.resume(delivered, log: hello.log, first: hello.first, count: hello.count)
        if let delivered, delivered.log == hello.log, delivered.through == through { return false }
        delivered = MirrorPosition(log: hello.log, through: through)
        handled = through
        return true
    }

    package enum Receipt: Equatable {
        /// Deliver these entries. The first one has this number.
        case new([[UInt8]], first: UInt64)
        case known
        /// Entries before these are missing, so the sender is broken.
        case gap
    }

    package mutating func received(_ entries: [[UInt8]], first: UInt64) -> Receipt {
        guard let through = delivered?.through else { return .gap }
        let last = first + UInt64(entries.count) - 1
        guard first <= through + 1 else { return .gap }
        guard last > through else { return .known }
        delivered?.through = last
        return first == through + 1
            ? .new(entries, first: first) : .new(Array(entries[Int(through + 1 - first)...]), first: through + 1)
    }

    /// Records that the consumer has handled entries up to this one. Returns whether to acknowledge it.
    package mutating func handled(through number: UInt64, of log: UUID) -> Bool {
        guard delivered?.log == log, number > handled else { return false }
        handled = number
        return true
    }
}
