/// The place of the next field in a packet. All fields of characteristics are little-endian.
///
/// Reading an incomplete field returns nil, does not move the cursor, and sets `isCut`.
package struct FieldCursor {
    package private(set) var next = 0
    /// Whether a field was read that is not complete.
    package private(set) var isCut = false

    package init() {}

    package mutating func uint8(_ bytes: Span<UInt8>) -> UInt8? {
        advance(1, of: bytes).map { bytes[$0] }
    }

    package mutating func uint16(_ bytes: Span<UInt8>) -> UInt16? {
        advance(2, of: bytes).map { UInt16(littleEndian: bytes, at: $0) }
    }

    package mutating func int16(_ bytes: Span<UInt8>) -> Int16? {
        uint16(bytes).map { Int16(bitPattern: $0) }
    }

    package mutating func uint24(_ bytes: Span<UInt8>) -> UInt32? {
        advance(3, of: bytes).map { UInt32(UInt16(littleEndian: bytes, at: $0)) | UInt32(bytes[$0 + 2]) << 16 }
    }

    package mutating func uint32(_ bytes: Span<UInt8>) -> UInt32? {
        advance(4, of: bytes).map { UInt32(littleEndian: bytes, at: $0) }
    }

    package mutating func skip(_ count: Int) { next += count }

    private mutating func advance(_ count: Int, of bytes: Span<UInt8>) -> Int? {
        guard !isCut, bytes.count - next >= count else {
            isCut = true
            return nil
        }
        defer { next += count }
        return next
    }
}

/// Decodes a packet from any collection of bytes. Contiguous memory is read in place.
package func decodingInPlace<Value>(
    _ bytes: some Collection<UInt8>, _ decode: (Span<UInt8>) -> Value?
) -> Value? {
    if let decoded = bytes.withContiguousStorageIfAvailable({ decode($0.span) }) { return decoded }
    return decode(Array(bytes).span)
}
