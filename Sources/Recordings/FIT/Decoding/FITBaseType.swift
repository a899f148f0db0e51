/// The base types of FIT fields. FIT Protocol, table "FIT base types": the number in a definition message, the size,
/// and the value that means "none".
enum FITBaseType: UInt8, CaseIterable {
    case `enum` = 0x00
    case sint8 = 0x01
    case uint8 = 0x02
    case sint16 = 0x83
    case uint16 = 0x84
    case sint32 = 0x85
    case uint32 = 0x86
    case string = 0x07
    case float32 = 0x88
    case float64 = 0x89
    case uint8z = 0x0A
    case uint16z = 0x8B
    case uint32z = 0x8C
    case byte = 0x0D
    case sint64 = 0x8E
    case uint64 = 0x8F
    case uint64z = 0x90

    /// Accepts numbers without the endian flag (0x80), which some devices leave out. The low five bits alone identify
    /// the type.
    init?(lenient number: UInt8) {
        if let type = FITBaseType(rawValue: number) {
            self = type
        } else if let type = FITBaseType(rawValue: number | 0x80) {
            self = type
        } else {
            return nil
        }
    }

    /// The size of a value in bytes.
    var size: Int {
        switch self {
        case .enum, .sint8, .uint8, .string, .uint8z, .byte: 1
        case .sint16, .uint16, .uint16z: 2
        case .sint32, .uint32, .float32, .uint32z: 4
        case .float64, .sint64, .uint64, .uint64z: 8
        }
    }

    /// The value that means "none", as `FITNumber.load` returns it. Nil if no integer means it.
    var invalid: Int64? {
        switch self {
        case .enum, .uint8, .byte: 0xFF
        case .sint8: 0x7F
        case .sint16: 0x7FFF
        case .uint16: 0xFFFF
        case .sint32: 0x7FFF_FFFF
        case .uint32: 0xFFFF_FFFF
        case .sint64: Int64.max
        case .uint8z, .uint16z, .uint32z, .uint64z: 0
        case .uint64: -1
        case .string, .float32, .float64: nil
        }
    }
}

/// How to load one number from the bytes of a message: base type and byte order in one value.
enum FITNumber: UInt8, BitwiseCopyable {
    case uint8, sint8
    case uint16, sint16, uint32, sint32, sint64, float32, float64
    case uint16Swapped, sint16Swapped, uint32Swapped, sint32Swapped, sint64Swapped, float32Swapped, float64Swapped

    /// The decoder's value for "no value". Only 64-bit integers can hold it, and there it means "none" as well.
    static let none = Int64.min

    init(_ type: FITBaseType, bigEndian: Bool) {
        switch type {
        case .enum, .uint8, .uint8z, .byte, .string: self = .uint8
        case .sint8: self = .sint8
        case .uint16, .uint16z: self = bigEndian ? .uint16Swapped : .uint16
        case .sint16: self = bigEndian ? .sint16Swapped : .sint16
        case .uint32, .uint32z: self = bigEndian ? .uint32Swapped : .uint32
        case .sint32: self = bigEndian ? .sint32Swapped : .sint32
        case .sint64, .uint64, .uint64z: self = bigEndian ? .sint64Swapped : .sint64
        case .float32: self = bigEndian ? .float32Swapped : .float32
        case .float64: self = bigEndian ? .float64Swapped : .float64
        }
    }

    /// Returns the number at `offset`. A real number is rounded; NaN becomes `none`.
    @inline(__always)
    func load(_ bytes: ByteView, at offset: Int) -> Int64 {
        switch self {
        case .uint8: Int64(bytes.uint8(at: offset))
        case .sint8: Int64(Int8(bitPattern: bytes.uint8(at: offset)))
        case .uint16: Int64(bytes.uint16(at: offset))
        case .sint16: Int64(Int16(bitPattern: bytes.uint16(at: offset)))
        case .uint32: Int64(bytes.uint32(at: offset))
        case .sint32: Int64(Int32(bitPattern: bytes.uint32(at: offset)))
        case .sint64: Int64(bitPattern: bytes.uint64(at: offset))
        case .uint16Swapped: Int64(bytes.uint16(at: offset).byteSwapped)
        case .sint16Swapped: Int64(Int16(bitPattern: bytes.uint16(at: offset).byteSwapped))
        case .uint32Swapped: Int64(bytes.uint32(at: offset).byteSwapped)
        case .sint32Swapped: Int64(Int32(bitPattern: bytes.uint32(at: offset).byteSwapped))
        case .sint64Swapped: Int64(bitPattern: bytes.uint64(at: offset).byteSwapped)
        case .float32, .float32Swapped, .float64, .float64Swapped: Self.rounded(real(bytes, at: offset))
        }
    }

    /// Returns the number at `offset` unrounded, or NaN if a real field has no value.
    func real(_ bytes: ByteView, at offset: Int) -> Double {
        switch self {
        case .float32: Double(Float(bitPattern: bytes.uint32(at: offset)))
        case .float32Swapped: Double(Float(bitPattern: bytes.uint32(at: offset).byteSwapped))
        case .float64: Double(bitPattern: bytes.uint64(at: offset))
        case .float64Swapped: Double(bitPattern: bytes.uint64(at: offset).byteSwapped)
        default: Double(load(bytes, at: offset))
        }
    }

    private static func rounded(_ value: Double) -> Int64 {
        value.isFinite && abs(value) < 0x1p62 ? Int64(value.rounded()) : none
    }
}
