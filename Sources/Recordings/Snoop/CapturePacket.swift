import Foundation

/// One packet between a host and its controller, as a capture file holds it.
struct CapturePacket: Equatable {
    enum Kind: Equatable { case command, event, data, adapterRemoved }
    /// The direction as the host sees it.
    enum Direction: Hashable { case sent, received, unknown }

    var date: Date
    /// The number of the adapter.
    var adapter: Int
    var kind: Kind
    var direction: Direction
    /// The bytes without the packet type.
    var bytes: [UInt8]

    /// A packet of the UART transport, whose first byte is its type (Core Specification 5.4, volume 4, part A, section
    /// 2). Nil for types that are not needed.
    init?(typed bytes: some Collection<UInt8>, date: Date, adapter: Int, direction: Direction) {
        guard let type = bytes.first else { return nil }
        switch type {
        case 1: kind = .command
        case 2: kind = .data
        case 4: kind = .event
        default: return nil
        }
        self.date = date
        self.adapter = adapter
        self.direction = direction
        self.bytes = Array(bytes.dropFirst())
    }

    /// A packet of BlueZ's monitor, whose kind is a number (BlueZ, src/shared/btsnoop.h). Nil for kinds that are not
    /// needed.
    init?(monitor opcode: UInt16, _ bytes: some Collection<UInt8>, date: Date, adapter: Int) {
        switch opcode {
        case 1, 9: (kind, direction) = (.adapterRemoved, .unknown)
        case 2: (kind, direction) = (.command, .sent)
        case 3: (kind, direction) = (.event, .received)
        case 4: (kind, direction) = (.data, .sent)
        case 5: (kind, direction) = (.data, .received)
        default: return nil
        }
        self.date = date
        self.adapter = adapter
        self.bytes = Array(bytes)
    }

    init(_ kind: Kind, _ bytes: some Collection<UInt8>, date: Date, adapter: Int, direction: Direction) {
        self.kind = kind
        self.bytes = Array(bytes)
        self.date = date
        self.adapter = adapter
        self.direction = direction
    }
}
