import Foundation

/// The blocks of a pcapng file (IETF draft-ietf-opsawg-pcapng).
struct PCAPNG {
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    private static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
    private static let interfaceDescription: UInt32 = 1
    private static let obsoletePacket: UInt32 = 2
    private static let enhancedPacket: UInt32 = 6
    /// A section with more interfaces than this is damaged.
    private static let maximumInterfaces = 4096

    private struct Interface {
        var link: CaptureLinkType
        var ticksPerSecond = 1e6
        var offsetInSeconds = 0.0
    }

    private var isBigEndian = false
    private var interfaces: [Interface] = []

    mutating func next(_ bytes: ArraySlice<UInt8>) -> CaptureRecord {
        guard bytes.count >= 12 else { return .incomplete }
        let isSection = bytes.littleEndian32(0) == Self.sectionHeader
        if isSection {
            // The magic number shows the byte order of everything that follows, and of the block's own length.
            switch bytes.littleEndian32(8) {
            case Self.byteOrderMagic: isBigEndian = false
            case Self.byteOrderMagic.byteSwapped: isBigEndian = true
            default: return .broken("a section begins without its magic; what follows was not read")
            }
            interfaces = []
        }
        let size = Int(number(bytes, 4))
        guard size >= 12, size % 4 == 0, size <= CaptureRecord.maximumSize else {
            return .broken("a block claims \(size) bytes; what follows was not read")
        }
        guard bytes.count >= size else { return .incomplete }
        guard number(bytes, size - 4) == UInt32(size) else {
            return .broken("a block's two lengths differ; what follows was not read")
        }
        let body = bytes.part(8, size - 12)
        switch isSection ? Self.sectionHeader : number(bytes, 0) {
        case Self.interfaceDescription:
            guard body.count >= 8, interfaces.count < Self.maximumInterfaces else {
                return .broken("an interface is described in too few bytes; what follows was not read")
            }
            interfaces.append(interface(body))
            return .done(size, nil)
        case Self.enhancedPacket where body.count >= 20:
            return .done(
                size, packet(body, interface: Int(number(body, 0)), time: 4, length: Int(number(body, 12)), data: 20))
        case Self.obsoletePacket where body.count >= 20:
            return .done(
                size, packet(body, interface: Int(number16(body, 0)), time: 4, length: Int(number(body, 12)), data: 20))
        default:
            // Statistics, names, and simple packets, which have no time.
            return .done(size, nil)
        }
    }

    private func packet(
        _ body: ArraySlice<UInt8>, interface index: Int, time: Int, length: Int, data: Int
    ) -> CapturePacket? {
        guard index < interfaces.count, data + length <= body.count else { return nil }
        let interface = interfaces[index]
        let ticks = UInt64(number(body, time)) << 32 | UInt64(number(body, time + 4))
        let seconds = interface.offsetInSeconds + Double(ticks) / interface.ticksPerSecond
        return interface.link.packet(body.part(data, length), date: Date(timeIntervalSince1970: seconds))
    }

    private func interface(_ body: ArraySlice<UInt8>) -> Interface {
        var interface = Interface(link: CaptureLinkType(rawValue: UInt32(number16(body, 0))))
        var rest = body.dropFirst(8)
        while rest.count >= 4 {
            let (code, length) = (number16(rest, 0), Int(number16(rest, 2)))
            guard code != 0, rest.count >= 4 + length else { break }
            let value = rest.part(4, length)
            if code == 9, let exponent = value.first {
                let places = Double(exponent & 0x7F)
                interface.ticksPerSecond = exponent & 0x80 == 0 ? pow(10, places) : pow(2, places)
            }
            if code == 14, length == 8 {
                let (first, second) = (UInt64(number(value, 0)), UInt64(number(value, 4)))
                let seconds = isBigEndian ? first << 32 | second : second << 32 | first
                interface.offsetInSeconds = Double(Int64(bitPattern: seconds))
            }
            rest = rest.dropFirst(4 + (length + 3) / 4 * 4)
        }
        return interface
    }

    private func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        isBigEndian ? bytes.bigEndian32(offset) : bytes.littleEndian32(offset)
    }

    private func number16(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt16 {
        isBigEndian ? bytes.bigEndian16(offset) : bytes.littleEndian16(offset)
    }
}
