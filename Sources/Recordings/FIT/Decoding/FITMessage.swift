/// Receives the messages of a FIT file, in the order of the file.
package protocol FITMessageReader {
    /// A file begins: the first one, or one chained to it. `byte` is the offset of its header.
    mutating func begin(byte: Int)
    /// From here on, messages of the local type `local` have the global number `number` and these developer fields.
    mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField])
    mutating func read(_ message: FITMessage)
}

extension FITMessageReader {
    package mutating func begin(byte: Int) {}
    package mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {}
}

/// One data message. It is only valid during the call that hands it over, because it points into the decoder's memory.
package struct FITMessage {
    /// The global message number: 20 for `record`.
    package let number: UInt16
    /// The local message type, 0 … 15.
    package let local: Int
    /// Offset of the message from the start of the file.
    package let byte: Int
    let isBigEndian: Bool
    /// The values of the fields by field number, `FITNumber.none` for absent ones.
    let values: UnsafePointer<Int64>
    /// The bytes after the header byte of the message.
    let payload: ByteView
    /// Seconds since 1989-12-31T00:00:00Z, from the `timestamp` field or the compressed header.
    package let timestamp: UInt32?

    /// The raw number of the field (`FITField.value` converts it to a quantity). Nil if it is absent or invalid.
    @inline(__always)
    subscript(field: FITField) -> Int64? {
        let value = values[Int(field.number)]
        return value == FITNumber.none ? nil : value
    }

    /// Returns the field as a `Number`, or nil if it does not fit.
    @inline(__always)
    func exactly<Number: FixedWidthInteger>(_ field: FITField) -> Number? {
        self[field].flatMap { Number(exactly: $0) }
    }

    /// Returns the elements of an array field, or nil if it is absent.
    func array(_ field: FITField) -> FITArray? {
        guard field.isArray, let place = self[field] else { return nil }
        return FITArray(place: place, payload: payload, isBigEndian: isBigEndian)
    }

    /// Returns the text of a field up to its terminating zero, or to its end if it has none. Nil if it is empty.
    func string(_ field: FITField) -> String? {
        guard let array = array(field) else { return nil }
        let bytes = (0..<array.bytes.count).lazy.map { array.bytes.uint8(at: $0) }.prefix { $0 != 0 }
        let text = String(decoding: Array(bytes), as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// Returns the value of a developer field in its own unit, or nil if it is text or invalid.
    package func value(of field: FITDeveloperField) -> Double? {
        guard let type = field.type, type != .string, field.size >= type.size else { return nil }
        let number = FITNumber(type, bigEndian: isBigEndian)
        let value = number.real(payload, at: field.offset)
        guard type != .byte else {
            // A field of bytes has no value only if all its bytes are 0xFF.
            let isInvalid = field.wholeField.allSatisfy { payload.uint8(at: $0) == 0xFF }
            return isInvalid ? nil : value
        }
        if value.isNaN || type.invalid.map({ Double($0) == value }) == true { return nil }
        return value
    }
}

extension FITMessage {
    /// Returns the text of a developer field, or nil if it is of another type.
    func text(of field: FITDeveloperField) -> String? {
        guard field.type == .string, field.offset + field.size <= payload.count else { return nil }
        let bytes = (field.offset..<field.offset + field.size).lazy.map { payload.uint8(at: $0) }.prefix { $0 != 0 }
        return String(decoding: Array(bytes), as: UTF8.self)
    }
}

/// A developer field with its place in a message. A `field_description` message in the file gives its meaning.
package struct FITDeveloperField: Equatable {
    package let name: String
    package let units: String
    /// The ID of the app that defined the field. Nil if the file does not state it.
    let application: [UInt8]?
    let type: FITBaseType?
    /// Offset from the start of the payload.
    let offset: Int
    let size: Int
    /// The bytes of the whole array if this field is one of its elements, otherwise the bytes of the field itself.
    let wholeField: Range<Int>

    init(
        name: String, units: String, application: [UInt8]?, type: FITBaseType?, offset: Int, size: Int,
        wholeField: Range<Int>? = nil
    ) {
        self.name = name
        self.units = units
        self.application = application
        self.type = type
        self.offset = offset
        self.size = size
        self.wholeField = wholeField ?? offset..<offset + size
    }

    /// Longer arrays stay whole and are left out: they are samples at their own rate.
    private static let mostElements = 32

    /// One field per element of an array, named `name[0]`, `name[1]` …; otherwise only the field itself.
    var elements: [FITDeveloperField] {
        guard let type, type != .string, size > type.size, size % type.size == 0, size / type.size <= Self.mostElements
        else { return [self] }
        return (0..<size / type.size).map { index in
            FITDeveloperField(
                name: "\(name)[\(index)]", units: units, application: application, type: type,
                offset: offset + index * type.size, size: type.size, wholeField: wholeField)
        }
    }
}

/// The elements of an array field, in the memory of the message.
struct FITArray {
    let bytes: ByteView
    let type: FITBaseType
    private let number: FITNumber

    /// `place` comes from `packed(offset:size:type:)`.
    fileprivate init(place: Int64, payload: ByteView, isBigEndian: Bool) {
        let offset = Int(place & 0xFF_FFFF)
        let size = Int(place >> 24 & 0xFF)
        bytes = payload[offset..<offset + size]
        type = FITBaseType(rawValue: UInt8(truncatingIfNeeded: place >> 32)) ?? .byte
        number = FITNumber(type, bigEndian: isBigEndian)
    }

    /// Packs the place of an array field into a number that is kept among the other values.
    static func packed(offset: Int, size: Int, type: FITBaseType) -> Int64 {
        Int64(offset) | Int64(size) << 24 | Int64(type.rawValue) << 32
    }

    var count: Int { bytes.count / type.size }

    /// An existing element. Nil if its value is invalid.
    subscript(index: Int) -> Int64? {
        let value = number.load(bytes, at: index * type.size)
        return value == FITNumber.none || value == type.invalid ? nil : value
    }
}
