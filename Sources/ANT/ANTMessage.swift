package import GATT

/// A message between this machine and an ANT stick.
///
/// On the wire: the byte 0xA4, the length of the content, the number of the message, the content, and the XOR of all these.
///
/// Source: Dynastream, ANT Message Protocol and Usage, section 7.
package struct ANTMessage: Sendable, Equatable {
    package var id: ID
    package var content: [UInt8]

    package init(_ id: ID, _ content: [UInt8]) {
        self.id = id
        self.content = content
    }

    /// The number of a message (section 9.3).
    package struct ID: RawRepresentable, Sendable, Hashable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let response = ID(rawValue: 0x40)
        package static let unassignChannel = ID(rawValue: 0x41)
        package static let assignChannel = ID(rawValue: 0x42)
        package static let channelPeriod = ID(rawValue: 0x43)
        package static let searchTimeout = ID(rawValue: 0x44)
        package static let frequency = ID(rawValue: 0x45)
        package static let networkKey = ID(rawValue: 0x46)
        package static let resetSystem = ID(rawValue: 0x4A)
        package static let openChannel = ID(rawValue: 0x4B)
        package static let closeChannel = ID(rawValue: 0x4C)
        package static let request = ID(rawValue: 0x4D)
        package static let broadcast = ID(rawValue: 0x4E)
        package static let acknowledged = ID(rawValue: 0x4F)
        package static let channelID = ID(rawValue: 0x51)
        package static let capabilities = ID(rawValue: 0x54)
        package static let openScan = ID(rawValue: 0x5B)
        package static let lowPrioritySearchTimeout = ID(rawValue: 0x63)
        package static let extendedMessages = ID(rawValue: 0x66)
        package static let startup = ID(rawValue: 0x6F)
    }

    static let sync: UInt8 = 0xA4

    /// As it goes over the wire.
    package var bytes: [UInt8] {
        let message = [Self.sync, UInt8(truncatingIfNeeded: content.count), id.rawValue] + content
        return message + [message.reduce(0, ^)]
    }
}

/// Finds the messages in a stick's bytes, however they are split. Noise, padding and damaged messages are passed over.
package struct ANTMessageReader: Sendable {
    /// The longest content that any message of a stick has, with room.
    private static let longestContent = 64
    private var waiting: [UInt8] = []
    /// How many bytes wait for the rest of their message.
    package var waitingCount: Int { waiting.count }

    package init() {}

    package mutating func read(_ bytes: some Collection<UInt8>) -> [ANTMessage] {
        waiting += bytes
        var messages: [ANTMessage] = []
        var next = 0
        while next < waiting.count {
            guard waiting[next] == ANTMessage.sync else {
                next += 1
                continue
            }
            guard next + 1 < waiting.count else { break }
            let length = Int(waiting[next + 1])
            guard length <= Self.longestContent else {
                next += 1
                continue
            }
            let end = next + length + 4
            guard end <= waiting.count else { break }
            guard waiting[next..<end].reduce(0, ^) == 0 else {
                next += 1
                continue
            }
            messages.append(
                ANTMessage(.init(rawValue: waiting[next + 2]), Array(waiting[(next + 3)..<(end - 1)])))
            next = end
        }
        waiting.removeFirst(next)
        return messages
    }
}

/// A message of a sensor: eight bytes on a channel, and in the extended form its sender.
package struct ANTBroadcast: Sendable, Equatable {
    package var channel: UInt8
    /// Eight bytes.
    package var page: [UInt8]
    /// Nil if the stick does not report it, or for a sensor of an unsupported kind.
    package var device: ANTDeviceID?

    /// Nil for a message of another kind, or one that is too short.
    package init?(_ message: ANTMessage) {
        guard message.id == .broadcast || message.id == .acknowledged, message.content.count >= 9 else { return nil }
        channel = message.content[0]
        page = Array(message.content[1..<9])
        // The flag 0x80 announces the channel's ID (section 7.1.1).
        guard message.content.count >= 14, message.content[9] & 0x80 != 0 else { return }
        let number = UInt16(littleEndian: message.content.span, at: 10)
        // The highest bit of the type asks for pairing.
        guard let kind = ANTDeviceKind(rawValue: message.content[12] & 0x7F), number > 0 else { return }
        device = ANTDeviceID(kind, number: number)
    }
}
