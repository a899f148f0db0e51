extension ATTPDU {
    /// The operation of a message.
    package enum Opcode {
        package static let errorResponse: UInt8 = 0x01
        package static let mtuRequest: UInt8 = 0x02
        package static let mtuResponse: UInt8 = 0x03
        package static let findInformationRequest: UInt8 = 0x04
        package static let findInformationResponse: UInt8 = 0x05
        package static let readByTypeRequest: UInt8 = 0x08
        package static let readByTypeResponse: UInt8 = 0x09
        package static let readRequest: UInt8 = 0x0A
        package static let readResponse: UInt8 = 0x0B
        package static let readBlobRequest: UInt8 = 0x0C
        package static let readBlobResponse: UInt8 = 0x0D
        package static let readByGroupTypeRequest: UInt8 = 0x10
        package static let readByGroupTypeResponse: UInt8 = 0x11
        package static let writeRequest: UInt8 = 0x12
        package static let writeResponse: UInt8 = 0x13
        package static let notification: UInt8 = 0x1B
        package static let indication: UInt8 = 0x1D
        package static let confirmation: UInt8 = 0x1E
        package static let multipleNotification: UInt8 = 0x23
        package static let writeCommand: UInt8 = 0x52

        /// Returns whether a message asks for a response: an even number that is neither a command nor the
        /// confirmation.
        package static func isRequest(_ opcode: UInt8) -> Bool {
            opcode & 0x41 == 0 && opcode != confirmation && opcode != 0
        }
    }

    /// Decodes a message. An incomplete item ends a list.
    ///
    /// - Returns: Nil if there are no bytes, or fewer than the message's fixed part.
    package init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let opcode = cursor.uint8(bytes) else { return nil }
        guard let message = Self.fixed(opcode, bytes, &cursor) ?? Self.list(opcode, bytes, &cursor),
            !cursor.isCut
        else { return nil }
        self = message
    }

    package init?(_ bytes: some Collection<UInt8>) {
        guard let message = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = message
    }

    /// Decodes messages without a list. Nil for those with a list, and for a message that is cut off.
    private static func fixed(_ opcode: UInt8, _ bytes: Span<UInt8>, _ cursor: inout FieldCursor) -> ATTPDU? {
        switch opcode {
        case Opcode.errorResponse:
            guard let request = cursor.uint8(bytes), let handle = cursor.uint16(bytes), let code = cursor.uint8(bytes)
            else { return nil }
            return .errorResponse(request: request, handle: handle, code: code)
        case Opcode.mtuRequest: return cursor.uint16(bytes).map { .mtuRequest($0) }
        case Opcode.mtuResponse: return cursor.uint16(bytes).map { .mtuResponse($0) }
        case Opcode.findInformationRequest: return range(bytes, &cursor).map { .findInformationRequest($0) }
        case Opcode.readByTypeRequest:
            guard let range = range(bytes, &cursor), let uuid = BluetoothUUID(littleEndian: rest(bytes, cursor.next))
            else { return nil }
            return .readByTypeRequest(range, uuid)
        case Opcode.readByGroupTypeRequest:
            guard let range = range(bytes, &cursor), let uuid = BluetoothUUID(littleEndian: rest(bytes, cursor.next))
            else { return nil }
            return .readByGroupTypeRequest(range, uuid)
        case Opcode.readRequest: return cursor.uint16(bytes).map { .readRequest($0) }
        case Opcode.readResponse: return .readResponse(rest(bytes, 1))
        case Opcode.readBlobRequest:
            guard let handle = cursor.uint16(bytes), let offset = cursor.uint16(bytes) else { return nil }
            return .readBlobRequest(handle, offset: offset)
        case Opcode.readBlobResponse: return .readBlobResponse(rest(bytes, 1))
        case Opcode.writeRequest: return cursor.uint16(bytes).map { .writeRequest($0, rest(bytes, 3)) }
        case Opcode.writeResponse: return .writeResponse
        case Opcode.writeCommand: return cursor.uint16(bytes).map { .writeCommand($0, rest(bytes, 3)) }
        case Opcode.notification: return cursor.uint16(bytes).map { .notification($0, rest(bytes, 3)) }
        case Opcode.indication: return cursor.uint16(bytes).map { .indication($0, rest(bytes, 3)) }
        case Opcode.confirmation: return .confirmation
        case Opcode.findInformationResponse, Opcode.readByTypeResponse, Opcode.readByGroupTypeResponse,
            Opcode.multipleNotification:
            return nil
        default: return .unknown(opcode: opcode)
        }
    }

    private static func list(_ opcode: UInt8, _ bytes: Span<UInt8>, _ cursor: inout FieldCursor) -> ATTPDU? {
        switch opcode {
        case Opcode.findInformationResponse:
            guard let format = cursor.uint8(bytes), format == 1 || format == 2 else { return nil }
            return .findInformationResponse(
                items(bytes, size: format == 1 ? 4 : 18).compactMap { item in
                    BluetoothUUID(littleEndian: item.dropFirst(2)).map {
                        ATTInformation(handle: uint16(item, 0), uuid: $0)
                    }
                })
        case Opcode.readByTypeResponse:
            guard let size = cursor.uint8(bytes), size >= 2 else { return nil }
            return .readByTypeResponse(
                items(bytes, size: Int(size)).map { ATTAttribute(handle: uint16($0, 0), value: Array($0.dropFirst(2))) }
            )
        case Opcode.readByGroupTypeResponse:
            guard let size = cursor.uint8(bytes), size >= 4 else { return nil }
            return .readByGroupTypeResponse(
                items(bytes, size: Int(size)).map {
                    ATTGroup(first: uint16($0, 0), last: uint16($0, 2), value: Array($0.dropFirst(4)))
                })
        case Opcode.multipleNotification:
            var values: [ATTAttribute] = []
            while bytes.count - cursor.next >= 4, let handle = cursor.uint16(bytes), let count = cursor.uint16(bytes) {
                let end = cursor.next + Int(count)
                guard end <= bytes.count else { break }
                values.append(ATTAttribute(handle: handle, value: Array(rest(bytes, cursor.next).prefix(Int(count)))))
                cursor.skip(Int(count))
            }
            return .multipleNotification(values)
        default: return nil
        }
    }

    private static func range(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) -> ATTHandleRange? {
        guard let first = cursor.uint16(bytes), let last = cursor.uint16(bytes) else { return nil }
        return ATTHandleRange(first, last)
    }

    private static func rest(_ bytes: Span<UInt8>, _ start: Int) -> [UInt8] {
        bytes.extracting(min(start, bytes.count)...).withUnsafeBufferPointer { Array($0) }
    }

    /// Returns the complete items of one size in the list after the first two bytes.
    private static func items(_ bytes: Span<UInt8>, size: Int) -> [[UInt8]] {
        let list = rest(bytes, 2)
        return stride(from: 0, to: list.count - list.count % size, by: size).map { Array(list[$0..<$0 + size]) }
    }

    private static func uint16(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
        UInt16(littleEndian: bytes.span, at: offset)
    }
}

extension ATTPDU {
    /// The encoded message. A list's items must all have the same size.
    package var bytes: [UInt8] {
        switch self {
        case .errorResponse(let request, let handle, let code):
            [Opcode.errorResponse, request] + Self.bytes(handle) + [code]
        case .mtuRequest(let size): [Opcode.mtuRequest] + Self.bytes(size)
        case .mtuResponse(let size): [Opcode.mtuResponse] + Self.bytes(size)
        case .findInformationRequest(let range): [Opcode.findInformationRequest] + Self.bytes(range)
        case .findInformationResponse(let items):
            [Opcode.findInformationResponse, items.first?.uuid.assigned == nil ? 2 : 1]
                + items.flatMap { Self.bytes($0.handle) + $0.uuid.littleEndianBytes }
        case .readByTypeRequest(let range, let uuid):
            [Opcode.readByTypeRequest] + Self.bytes(range) + uuid.littleEndianBytes
        case .readByTypeResponse(let items):
            [Opcode.readByTypeResponse, UInt8(clamping: (items.first?.value.count ?? 0) + 2)]
                + items.flatMap { Self.bytes($0.handle) + $0.value }
        case .readRequest(let handle): [Opcode.readRequest] + Self.bytes(handle)
        case .readResponse(let value): [Opcode.readResponse] + value
        case .readBlobRequest(let handle, let offset):
            [Opcode.readBlobRequest] + Self.bytes(handle) + Self.bytes(offset)
        case .readBlobResponse(let value): [Opcode.readBlobResponse] + value
        case .readByGroupTypeRequest(let range, let uuid):
            [Opcode.readByGroupTypeRequest] + Self.bytes(range) + uuid.littleEndianBytes
        case .readByGroupTypeResponse(let groups):
            [Opcode.readByGroupTypeResponse, UInt8(clamping: (groups.first?.value.count ?? 0) + 4)]
                + groups.flatMap { Self.bytes($0.first) + Self.bytes($0.last) + $0.value }
        case .writeRequest(let handle, let value): [Opcode.writeRequest] + Self.bytes(handle) + value
        case .writeResponse: [Opcode.writeResponse]
        case .writeCommand(let handle, let value): [Opcode.writeCommand] + Self.bytes(handle) + value
        case .notification(let handle, let value): [Opcode.notification] + Self.bytes(handle) + value
        case .indication(let handle, let value): [Opcode.indication] + Self.bytes(handle) + value
        case .confirmation: [Opcode.confirmation]
        case .multipleNotification(let values):
            [Opcode.multipleNotification]
                + values.flatMap { Self.bytes($0.handle) + Self.bytes(UInt16(clamping: $0.value.count)) + $0.value }
        case .unknown(let opcode): [opcode]
        }
    }

    private static func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    private static func bytes(_ range: ATTHandleRange) -> [UInt8] { bytes(range.first) + bytes(range.last) }
}
