import Foundation

/// The encodings of a Bluetooth controller's packets in pcap and pcapng files.
///
/// Source: tcpdump.org, Link-Layer Header Types.
struct CaptureLinkType: RawRepresentable, Equatable {
    var rawValue: UInt32

    /// Typed packets without a direction.
    static let uart = CaptureLinkType(rawValue: 187)
    /// A direction (big-endian, 0 sent), then a typed packet.
    static let uartWithDirection = CaptureLinkType(rawValue: 201)
    /// The adapter and the packet's kind (big-endian), then the packet.
    static let monitor = CaptureLinkType(rawValue: 254)

    var isBluetooth: Bool { [.uart, .uartWithDirection, .monitor].contains(self) }

    func packet(_ bytes: ArraySlice<UInt8>, date: Date) -> CapturePacket? {
        switch self {
        case .uart:
            return CapturePacket(typed: bytes, date: date, adapter: 0, direction: .unknown)
        case .uartWithDirection where bytes.count >= 4:
            return CapturePacket(
                typed: bytes.dropFirst(4), date: date, adapter: 0,
                direction: bytes.bigEndian32(0) & 1 == 0 ? .sent : .received)
        case .monitor where bytes.count >= 4:
            return CapturePacket(
                monitor: bytes.bigEndian16(2), bytes.dropFirst(4), date: date, adapter: Int(bytes.bigEndian16(0)))
        default:
            return nil
        }
    }
}

/// The records of a pcap file (IETF draft-ietf-opsawg-pcap).
struct PCAP {
    static let headerLength = 24
    static let recordHeaderLength = 16

    let link: CaptureLinkType
    private let isBigEndian: Bool
    private let ticksPerSecond: Double

    init?(header: ArraySlice<UInt8>) {
        switch header.littleEndian32(0) {
        case 0xA1B2_C3D4: (isBigEndian, ticksPerSecond) = (false, 1e6)
        case 0xA1B2_3C4D: (isBigEndian, ticksPerSecond) = (false, 1e9)
        case 0xD4C3_B2A1: (isBigEndian, ticksPerSecond) = (true, 1e6)
        case 0x4D3C_B2A1: (isBigEndian, ticksPerSecond) = (true, 1e9)
        default: return nil
        }
        let type = isBigEndian ? header.bigEndian32(20) : header.littleEndian32(20)
        link = CaptureLinkType(rawValue: type & 0xFFFF)
    }

    func next(_ bytes: ArraySlice<UInt8>) -> CaptureRecord {
        guard bytes.count >= Self.recordHeaderLength else { return .incomplete }
        func number(_ offset: Int) -> UInt32 {
            isBigEndian ? bytes.bigEndian32(offset) : bytes.littleEndian32(offset)
        }
        let length = Int(number(8))
        guard length <= CaptureRecord.maximumSize else {
            return .broken("a record claims \(length) bytes; what follows was not read")
        }
        guard bytes.count >= Self.recordHeaderLength + length else { return .incomplete }
        let date = Date(timeIntervalSince1970: Double(number(0)) + Double(number(4)) / ticksPerSecond)
        return .done(
            Self.recordHeaderLength + length, link.packet(bytes.part(Self.recordHeaderLength, length), date: date))
    }
}
