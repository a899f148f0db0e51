import Foundation

/// The records of a btsnoop file: what `btmon -w` and Android write.
///
/// Source: Frontline, BTSnoop File Format; BlueZ, src/shared/btsnoop.h. All numbers are big-endian.
struct BTSnoop {
    static let magic = Array("btsnoop\0".utf8)
    static let headerLength = 16
    static let recordHeaderLength = 24

    enum Datalink: UInt32 {
        /// Packets without a type.
        case controller = 1001
        case uart = 1002
        case monitor = 2001
    }

    let datalink: Datalink
    /// Packets that the recorder lost, as the last record tells it.
    private(set) var drops: UInt32?

    init?(datalink: UInt32) {
        guard let datalink = Datalink(rawValue: datalink) else { return nil }
        self.datalink = datalink
    }

    mutating func next(_ bytes: ArraySlice<UInt8>) -> CaptureRecord {
        guard bytes.count >= Self.recordHeaderLength else { return .incomplete }
        let length = Int(bytes.bigEndian32(4))
        guard length <= CaptureRecord.maximumSize else {
            return .broken("a record claims \(length) bytes; what follows was not read")
        }
        let size = Self.recordHeaderLength + length
        guard bytes.count >= size else { return .incomplete }
        drops = bytes.bigEndian32(12)
        let time = UInt64(bytes.bigEndian32(16)) << 32 | UInt64(bytes.bigEndian32(20))
        let date = Self.date(Int64(bitPattern: time))
        return .done(
            size, packet(bytes.part(Self.recordHeaderLength, length), flags: bytes.bigEndian32(8), date: date))
    }

    private func packet(_ bytes: ArraySlice<UInt8>, flags: UInt32, date: Date) -> CapturePacket? {
        let direction: CapturePacket.Direction = flags & 1 == 0 ? .sent : .received
        switch datalink {
        case .controller:
            let isData = flags & 2 == 0
            let kind: CapturePacket.Kind = isData ? .data : direction == .sent ? .command : .event
            return CapturePacket(kind, bytes, date: date, adapter: 0, direction: direction)
        case .uart:
            return CapturePacket(typed: bytes, date: date, adapter: 0, direction: direction)
        case .monitor:
            return CapturePacket(
                monitor: UInt16(truncatingIfNeeded: flags), bytes, date: date, adapter: Int(flags >> 16))
        }
    }

    /// Microseconds from the year 0, whose distance from 2000 the format fixes, to a date.
    static func date(_ microseconds: Int64) -> Date {
        let year2000: Int64 = 0x00E0_3AB4_4A67_6000
        return Date(timeIntervalSince1970: Double(microseconds &- year2000) / 1e6 + 946_684_800)
    }
}
