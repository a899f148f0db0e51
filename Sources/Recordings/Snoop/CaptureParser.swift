import Foundation
import GATT
import SessionLog

/// Parses a capture file piece by piece: btsnoop, pcapng or pcap.
///
/// The pieces may have any size. The parser holds at most one record, and stops at the first invalid one; the records
/// before it stay.
struct CaptureParser {
    private(set) var warnings: [RecordingWarning] = []
    /// The reason why nothing can be read at all.
    private(set) var refusal: String?
    private var format: Format?
    private var pending: [UInt8] = []
    /// The offset of `pending` in the file.
    private var offset = 0
    private var isBroken = false

    private enum Format {
        case btsnoop(BTSnoop)
        case pcap(PCAP)
        case pcapng(PCAPNG)
    }

    mutating func read(_ bytes: some Collection<UInt8>, _ take: (CapturePacket) -> Void) {
        guard !isBroken, refusal == nil else { return }
        pending.append(contentsOf: bytes)
        var start = 0
        loop: while start < pending.count {
            switch next(pending[start...]) {
            case .incomplete:
                break loop
            case .done(let count, let packet):
                if let packet { take(packet) }
                start += count
            case .broken(let reason):
                warnings.append(RecordingWarning(byte: offset + start, message: reason))
                isBroken = true
                start = pending.count
            case .refused(let reason):
                refusal = reason
                start = pending.count
            }
        }
        pending.removeFirst(start)
        offset += start
    }

    mutating func finish() {
        if case .btsnoop(let snoop) = format, let drops = snoop.drops, drops > 0 {
            warnings.append(RecordingWarning(byte: 0, message: "the recorder lost \(drops) packets"))
        }
        guard !isBroken, refusal == nil else { return }
        if format == nil {
            refusal = "the header is cut"
        } else if !pending.isEmpty {
            warnings.append(
                RecordingWarning(byte: offset, message: "the last record is cut; what came before it was read"))
        }
    }

    private mutating func next(_ bytes: ArraySlice<UInt8>) -> CaptureRecord {
        switch format {
        case .btsnoop(var snoop):
            defer { format = .btsnoop(snoop) }
            return snoop.next(bytes)
        case .pcap(let pcap):
            return pcap.next(bytes)
        case .pcapng(var pcapng):
            format = nil
            defer { format = .pcapng(pcapng) }
            return pcapng.next(bytes)
        case nil:
            if bytes.starts(with: BTSnoop.magic.prefix(bytes.count)) {
                guard bytes.count >= BTSnoop.headerLength else { return .incomplete }
                let version = bytes.bigEndian32(8)
                guard version == 1 else { return .refused("it is btsnoop of version \(version); version 1 is read") }
                let link = bytes.bigEndian32(12)
                guard let snoop = BTSnoop(datalink: link) else {
                    return .refused("it is a capture of datalink \(link), not of a Bluetooth controller")
                }
                format = .btsnoop(snoop)
                return .done(BTSnoop.headerLength, nil)
            }
            guard bytes.count >= 4 else { return .incomplete }
            if bytes.littleEndian32(0) == PCAPNG.sectionHeader {
                format = .pcapng(PCAPNG())
                return .done(0, nil)
            }
            guard bytes.count >= PCAP.headerLength else { return .incomplete }
            guard let pcap = PCAP(header: bytes) else { return .refused("unknown kind of capture") }
            if !pcap.link.isBluetooth {
                return .refused("it is a capture of link type \(pcap.link.rawValue), not of a Bluetooth controller")
            }
            format = .pcap(pcap)
            return .done(PCAP.headerLength, nil)
        }
    }
}

extension ArraySlice<UInt8> {
    // The caller ensures that the bytes exist.
    func littleEndian16(_ offset: Int) -> UInt16 {
        UInt16(littleEndian: span, at: offset)
    }

    func littleEndian32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: span, at: offset)
    }

    func bigEndian16(_ offset: Int) -> UInt16 { littleEndian16(offset).byteSwapped }
    func bigEndian32(_ offset: Int) -> UInt32 { littleEndian32(offset).byteSwapped }

    /// The bytes of a part, all of which must exist.
    func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        self[startIndex + offset..<startIndex + offset + count]
    }
}

/// The records of a btsnoop file, as `btmon -w` and Android write it.
///
/// Source: Frontline, BTSnoop File Format; BlueZ, src/shared/btsnoop.h. All numbers are big-endian.
struct BTSnoop {
    static let magic = Array("btsnoop\0".utf8)
    static let headerLength = 16
    static let recordHeaderLength = 24

    enum Datalink: UInt32 {
        /// Packets without a type byte.
        case controller = 1001
        case uart = 1002
        case monitor = 2001
    }

    let datalink: Datalink
    /// The number of packets that the recorder lost, as the last record states it.
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

    /// Returns the date of microseconds since the year 0. The format defines the number for the year 2000.
    static func date(_ microseconds: Int64) -> Date {
        let year2000: Int64 = 0x00E0_3AB4_4A67_6000
        return Date(timeIntervalSince1970: Double(microseconds &- year2000) / 1e6 + 946_684_800)
    }
}
