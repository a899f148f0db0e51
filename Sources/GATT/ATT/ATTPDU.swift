/// A message of the Attribute Protocol, as clients of sensors send and receive it.
///
/// Source: Core Specification 5.4, volume 3, part F, section 3.4.
package enum ATTPDU: Sendable, Equatable {
    case errorResponse(request: UInt8, handle: UInt16, code: UInt8)
    case mtuRequest(UInt16)
    case mtuResponse(UInt16)
    case findInformationRequest(ATTHandleRange)
    case findInformationResponse([ATTInformation])
    case readByTypeRequest(ATTHandleRange, BluetoothUUID)
    case readByTypeResponse([ATTAttribute])
    case readRequest(UInt16)
    case readResponse([UInt8])
    case readBlobRequest(UInt16, offset: UInt16)
    case readBlobResponse([UInt8])
    case readByGroupTypeRequest(ATTHandleRange, BluetoothUUID)
    case readByGroupTypeResponse([ATTGroup])
    case writeRequest(UInt16, [UInt8])
    case writeResponse
    case writeCommand(UInt16, [UInt8])
    case notification(UInt16, [UInt8])
    case indication(UInt16, [UInt8])
    case confirmation
    case multipleNotification([ATTAttribute])
    /// Any other operation.
    case unknown(opcode: UInt8)
}

/// The handles that a request covers, both ends included.
package struct ATTHandleRange: Sendable, Equatable {
    package var first: UInt16
    package var last: UInt16

    package init(_ first: UInt16, _ last: UInt16) {
        self.first = first
        self.last = last
    }
}

/// The kind of the attribute with a handle.
package struct ATTInformation: Sendable, Equatable {
    package var handle: UInt16
    package var uuid: BluetoothUUID
}

package struct ATTAttribute: Sendable, Equatable {
    package var handle: UInt16
    package var value: [UInt8]

    package init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }
}

/// A service: its handles, and the bytes of its UUID.
package struct ATTGroup: Sendable, Equatable {
    package var first: UInt16
    package var last: UInt16
    package var value: [UInt8]
}

/// The error codes that a client handles (Core Specification 5.4, volume 3, part F, section 3.4.1.1).
package enum ATTErrorCode {
    package static let insufficientAuthentication: UInt8 = 0x05
    package static let requestNotSupported: UInt8 = 0x06
    package static let invalidOffset: UInt8 = 0x07
    package static let attributeNotFound: UInt8 = 0x0A
    package static let attributeNotLong: UInt8 = 0x0B
    package static let insufficientKeySize: UInt8 = 0x0C
    package static let invalidLength: UInt8 = 0x0D
    package static let insufficientEncryption: UInt8 = 0x0F

    /// Returns whether pairing would solve the error.
    package static func asksForPairing(_ code: UInt8) -> Bool {
        [insufficientAuthentication, insufficientKeySize, insufficientEncryption].contains(code)
    }
}

extension BluetoothUUID {
    package static let primaryService = BluetoothUUID(0x2800)
    package static let characteristicDeclaration = BluetoothUUID(0x2803)
    package static let clientCharacteristicConfiguration = BluetoothUUID(0x2902)

    /// Reads 2 or 16 bytes, least significant first. Nil for other lengths.
    package init?(littleEndian bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 2:
            self.init(UInt16(littleEndian: Array(bytes).span, at: 0))
        case 16:
            let bytes = Array(bytes)
            self.init(high: UInt64(littleEndian: bytes.span, at: 8), low: UInt64(littleEndian: bytes.span, at: 0))
        default:
            return nil
        }
    }

    /// 2 bytes for an assigned number, otherwise 16, least significant first.
    package var littleEndianBytes: [UInt8] {
        if let assigned { return [UInt8(assigned & 0xFF), UInt8(assigned >> 8)] }
        return [low, high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) } }
    }
}
