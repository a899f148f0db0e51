import Foundation
import Synchronization

@testable import Bluetooth
@testable import GATT

/// The other end of an attribute socket: a device with a table of attributes, on its own thread.
final class GATTServerDouble: Sendable {
    struct Attribute: Sendable {
        var handle: UInt16
        var type: BluetoothUUID
        var value: [UInt8]
        /// The last handle of the service that this attribute declares.
        var groupEnd: UInt16?
        /// The error for reading and writing.
        var error: UInt8?
    }

    private struct State {
        var attributes: [Attribute]
        var written: [ATTAttribute] = []
        var sentBeforeWriteResponse: [[UInt8]] = []
        var received: [[UInt8]] = []
        var refusals = Int.max
        var mtu = 23
    }

    private let state: Mutex<State>
    private let descriptor: Int32

    /// A strap: heart rate (with an unrelated descriptor before its configuration), location, battery, a long text.
    static let strap: [Attribute] =
        service(1, 5, 0x1800) + [
            characteristic(2, properties: 0x02, value: 3, 0x2A00), .init(handle: 3, type: .init(0x2A00), value: [72]),
        ]
        + service(14, 20, 0x180D) + [
            characteristic(15, properties: 0x10, value: 16, 0x2A37),
            .init(handle: 16, type: .init(0x2A37), value: []),
            .init(handle: 17, type: .init(0x2901), value: [65]),
            .init(handle: 18, type: .init(0x2902), value: [0, 0]),
            characteristic(19, properties: 0x02, value: 20, 0x2A38),
            .init(handle: 20, type: .init(0x2A38), value: [1]),
        ]
        + service(21, 24, 0x180F) + [
            characteristic(22, properties: 0x22, value: 23, 0x2A19),
            .init(handle: 23, type: .init(0x2A19), value: [90]), .init(handle: 24, type: .init(0x2902), value: [0, 0]),
        ]
        + service(30, 0xFFFF, 0x180A) + [
            characteristic(31, properties: 0x02, value: 32, 0x2A29),
            .init(handle: 32, type: .init(0x2A29), value: (0..<60).map { 65 + $0 % 26 }),
        ]

    static func service(_ first: UInt16, _ last: UInt16, _ uuid: UInt16) -> [Attribute] {
        [.init(handle: first, type: .primaryService, value: BluetoothUUID(uuid).littleEndianBytes, groupEnd: last)]
    }

    static func characteristic(_ handle: UInt16, properties: UInt8, value: UInt16, _ uuid: UInt16) -> Attribute {
        .init(
            handle: handle, type: .characteristicDeclaration,
            value: [properties, UInt8(value & 0xFF), UInt8(value >> 8)] + BluetoothUUID(uuid).littleEndianBytes)
    }

    /// - Returns: The server, and the descriptor of its client.
    static func start(_ attributes: [Attribute] = strap) throws -> (server: GATTServerDouble, client: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
            throw SystemFault("make a pair of sockets")
        }
        let server = GATTServerDouble(descriptor: ends[1], attributes)
        Thread { server.serve() }.start()
        return (server, ends[0])
    }

    private init(descriptor: Int32, _ attributes: [Attribute]) {
        self.descriptor = descriptor
        state = Mutex(State(attributes: attributes))
    }

    deinit { close(descriptor) }

    var written: [ATTAttribute] { state.withLock(\.written) }
    /// The messages that were no requests.
    var received: [[UInt8]] { state.withLock(\.received) }

    /// - Parameter times: The number of writes that it refuses before it accepts one.
    func refuse(_ handle: UInt16, _ code: UInt8, times: Int = .max) {
        state.withLock { state in
            for index in state.attributes.indices where state.attributes[index].handle == handle {
                state.attributes[index].error = code
            }
            state.refusals = times
        }
    }

    /// Replaces the attributes of the device.
    func change(_ attributes: [Attribute]) { state.withLock { $0.attributes = attributes } }

    /// Sends these messages before its answer to the next write.
    func sendBeforeWriteResponse(_ messages: [[UInt8]]) { state.withLock { $0.sentBeforeWriteResponse = messages } }

    func send(_ message: [UInt8]) { _ = Glibc.send(descriptor, message, message.count, 0) }

    func hangUp() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func serve() {
        var room = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = recv(descriptor, &room, room.count, 0)
            if count <= 0 { return hangUp() }
            for answer in state.withLock({ answers(Array(room[..<count]), &$0) }) { send(answer) }
        }
    }

    private func answers(_ bytes: [UInt8], _ state: inout State) -> [[UInt8]] {
        func error(_ handle: UInt16, _ code: UInt8) -> [[UInt8]] {
            [ATTPDU.errorResponse(request: bytes[0], handle: handle, code: code).bytes]
        }
        let room = state.mtu - 2
        switch ATTPDU(bytes) {
        case .mtuRequest(let size):
            state.mtu = min(Int(size), 40)
            return [ATTPDU.mtuResponse(40).bytes]
        case .readByGroupTypeRequest(let range, _):
            let found = state.attributes.filter {
                $0.groupEnd != nil && $0.handle >= range.first && $0.handle <= range.last
            }
            if found.isEmpty { return error(range.first, ATTErrorCode.attributeNotFound) }
            let groups = found.prefix(room / 6).map { ATTGroup(first: $0.handle, last: $0.groupEnd!, value: $0.value) }
            return [ATTPDU.readByGroupTypeResponse(groups).bytes]
        case .readByTypeRequest(let range, let type):
            let found = state.attributes.filter {
                $0.type == type && $0.handle >= range.first && $0.handle <= range.last
            }
            if found.isEmpty { return error(range.first, ATTErrorCode.attributeNotFound) }
            // One at a time, so that the client has to ask again.
            return [
                ATTPDU.readByTypeResponse(found.prefix(1).map { ATTAttribute(handle: $0.handle, value: $0.value) })
                    .bytes
            ]
        case .findInformationRequest(let range):
            let found = state.attributes.filter { $0.handle >= range.first && $0.handle <= range.last }
            if found.isEmpty { return error(range.first, ATTErrorCode.attributeNotFound) }
            let items = found.prefix(1).map { ATTInformation(handle: $0.handle, uuid: $0.type) }
            return [ATTPDU.findInformationResponse(items).bytes]
        case .readRequest(let handle):
            guard let found = state.attributes.first(where: { $0.handle == handle }) else { return error(handle, 1) }
            if let code = found.error { return error(handle, code) }
            return [ATTPDU.readResponse(Array(found.value.prefix(state.mtu - 1))).bytes]
        case .readBlobRequest(let handle, let offset):
            guard let found = state.attributes.first(where: { $0.handle == handle }), offset <= found.value.count else {
                return error(handle, ATTErrorCode.invalidOffset)
            }
            return [
                ATTPDU.readBlobResponse(Array(found.value.dropFirst(Int(offset)).prefix(state.mtu - 1))).bytes
            ]
        case .writeRequest(let handle, let value):
            if let code = state.attributes.first(where: { $0.handle == handle })?.error, state.refusals > 0 {
                state.refusals -= 1
                return error(handle, code)
            }
            state.written.append(ATTAttribute(handle: handle, value: value))
            defer { state.sentBeforeWriteResponse = [] }
            return state.sentBeforeWriteResponse + [ATTPDU.writeResponse.bytes]
        default:
            state.received.append(bytes)
            return []
        }
    }
}
