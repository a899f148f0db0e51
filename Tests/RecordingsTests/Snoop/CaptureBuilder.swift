import Foundation

@testable import GATT
@testable import Recordings
@testable import SessionLog

/// Writes captures of an imaginary strap, byte by byte.
struct CaptureBuilder {
    enum Container: CaseIterable { case uart, controller, monitor, pcapng, pcapngMonitor, pcapngBigEndian, pcap }

    let container: Container
    private(set) var bytes: [UInt8] = []
    static let start = Date(timeIntervalSince1970: 1_700_000_000)
    static let strap = DeviceAddress(value: 0xC0DE_0000_0001)

    init(_ container: Container) {
        self.container = container
        switch container {
        case .uart, .controller, .monitor:
            let link: UInt32 = container == .uart ? 1002 : container == .controller ? 1001 : 2001
            bytes = Array("btsnoop\0".utf8) + big(1) + big(link)
        case .pcap:
            bytes = little(0xA1B2_C3D4) + [2, 0, 4, 0] + little(0) + little(0) + little(65535) + little(201)
        case .pcapng, .pcapngMonitor, .pcapngBigEndian:
            block(0x0A0D_0D0A, order(0x1A2B_3C4D) + order16(1) + order16(0) + [UInt8](repeating: 0xFF, count: 8))
            let link: UInt16 = container == .pcapngMonitor ? 254 : 201
            // Nanoseconds, so that the option is needed.
            let options = order16(9) + order16(1) + [9, 0, 0, 0] + order16(0) + order16(0)
            block(1, order16(link) + order16(0) + order(65535) + options)
            // Statistics, which are not read.
            block(5, order(0) + order(0) + order(0))
        }
    }

    // MARK: Packets

    /// - Parameters:
    ///   - kind: The type byte of the UART transport.
    mutating func packet(_ kind: UInt8, _ payload: [UInt8], received: Bool, at seconds: Double) {
        let microseconds = UInt64((Self.start.timeIntervalSince1970 + seconds) * 1e6)
        switch container {
        case .uart: snoop([kind] + payload, flags: received ? 1 : 0, microseconds)
        case .controller: snoop(payload, flags: (received ? 1 : 0) | (kind == 2 ? 0 : 2), microseconds)
        case .monitor: snoop(payload, flags: 3 << 16 | opcode(kind, received), microseconds)
        case .pcap:
            let data = big(received ? 1 : 0) + [kind] + payload
            bytes +=
                little(UInt32(microseconds / 1_000_000)) + little(UInt32(microseconds % 1_000_000))
                + little(UInt32(data.count)) + little(UInt32(data.count)) + data
        case .pcapng, .pcapngMonitor, .pcapngBigEndian:
            let head =
                container == .pcapngMonitor
                ? [0, 0, 0, UInt8(opcode(kind, received))] : big(received ? 1 : 0) + [kind]
            let data = head + payload
            let ticks = microseconds * 1000
            let padding = [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
            block(
                6,
                order(0) + order(UInt32(ticks >> 32)) + order(UInt32(truncatingIfNeeded: ticks))
                    + order(UInt32(data.count)) + order(UInt32(data.count)) + data + padding)
        }
    }

    mutating func event(_ code: UInt8, _ parameters: [UInt8], at seconds: Double) {
        packet(4, [code, UInt8(parameters.count)] + parameters, received: true, at: seconds)
    }

    /// A message of the attribute channel, in fragments of at most this many bytes.
    mutating func attribute(
        _ message: ATTPDU, received: Bool, handle: UInt16 = 0x40, fragment: Int = .max, at seconds: Double
    ) {
        attribute(message.bytes, received: received, handle: handle, fragment: fragment, at: seconds)
    }

    mutating func attribute(
        _ message: [UInt8], received: Bool, handle: UInt16 = 0x40, fragment: Int = .max, at seconds: Double
    ) {
        var rest = (little16(UInt16(message.count)) + [4, 0] + message)[...]
        var isFirst = true
        while !rest.isEmpty {
            let part = rest.prefix(fragment)
            let boundary: UInt16 = isFirst ? 0x2000 : 0x1000
            packet(
                2, little16(handle | boundary) + little16(UInt16(part.count)) + part, received: received, at: seconds)
            rest = rest.dropFirst(part.count)
            isFirst = false
        }
    }

    // MARK: Events

    mutating func connect(_ address: DeviceAddress = strap, handle: UInt16 = 0x40, at seconds: Double) {
        let data = [0x01, 0x00] + little16(handle) + [0, 1] + address.littleEndianBytes + [24, 0, 0, 0, 0xF4, 1, 0]
        event(0x3E, data, at: seconds)
    }

    mutating func discover(handle: UInt16 = 0x40, at seconds: Double) {
        func ask(_ question: ATTPDU, _ answer: ATTPDU) {
            attribute(question, received: false, handle: handle, at: seconds)
            attribute(answer, received: true, handle: handle, at: seconds)
        }
        ask(
            .readByGroupTypeRequest(ATTHandleRange(1, .max), .primaryService),
            .readByGroupTypeResponse([
                ATTGroup(first: 14, last: 19, value: [0x0D, 0x18]), ATTGroup(first: 31, last: 34, value: [0x0F, 0x18]),
            ]))
        ask(
            .readByTypeRequest(ATTHandleRange(14, 19), .characteristicDeclaration),
            .readByTypeResponse([ATTAttribute(handle: 15, value: [0x10, 16, 0, 0x37, 0x2A])]))
        ask(
            .readByTypeRequest(ATTHandleRange(31, 34), .characteristicDeclaration),
            .readByTypeResponse([ATTAttribute(handle: 32, value: [0x12, 33, 0, 0x19, 0x2A])]))
    }

    mutating func heartRate(
        _ value: [UInt8], handle: UInt16 = 0x40, fragment: Int = .max, at seconds: Double
    ) {
        attribute(.notification(16, value), received: true, handle: handle, fragment: fragment, at: seconds)
    }

    mutating func disconnect(handle: UInt16 = 0x40, reason: UInt8 = 0x13, at seconds: Double) {
        event(0x05, [0] + little16(handle) + [reason], at: seconds)
    }

    /// A strap that is connected and discovered, notifies five times, drops, returns and notifies twice.
    static func workout(_ container: Container) -> CaptureBuilder {
        var capture = CaptureBuilder(container)
        capture.connect(at: 0)
        capture.discover(at: 1)
        for beat in 0..<5 {
            capture.heartRate(
                [0x10, 60 + UInt8(beat), 0xE8, 0x03], fragment: beat == 2 ? 5 : .max, at: 2 + Double(beat))
        }
        capture.attribute(.notification(33, [77]), received: true, at: 6.5)
        capture.disconnect(reason: 0x08, at: 7)
        capture.connect(handle: 0x41, at: 20)
        // Bonded hosts don't discover it again.
        capture.heartRate([0x10, 70, 0xE8, 0x03], handle: 0x41, at: 21)
        capture.heartRate([0x10, 71, 0xE8, 0x03], handle: 0x41, at: 22)
        capture.disconnect(handle: 0x41, at: 23)
        return capture
    }

    // MARK: Bytes

    private func opcode(_ kind: UInt8, _ received: Bool) -> UInt32 {
        kind == 1 ? 2 : kind == 4 ? 3 : received ? 5 : 4
    }

    private mutating func snoop(_ data: [UInt8], flags: UInt32, _ microseconds: UInt64) {
        let time = microseconds + 0x00DC_DDB3_0F2F_8000
        bytes += big(UInt32(data.count)) + big(UInt32(data.count)) + big(flags) + big(0)
        bytes += big(UInt32(time >> 32)) + big(UInt32(truncatingIfNeeded: time)) + data
    }

    private mutating func block(_ type: UInt32, _ body: [UInt8]) {
        let size = UInt32(body.count + 12)
        bytes += order(type) + order(size) + body + order(size)
    }

    private func big(_ value: UInt32) -> [UInt8] { little(value).reversed() }
    private func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    private func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    private func order(_ value: UInt32) -> [UInt8] { container == .pcapngBigEndian ? big(value) : little(value) }
    private func order16(_ value: UInt16) -> [UInt8] {
        container == .pcapngBigEndian ? little16(value).reversed() : little16(value)
    }
}
