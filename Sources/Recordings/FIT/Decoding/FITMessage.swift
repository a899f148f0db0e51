/// Takes the messages of a FIT file, in the order of the file.
package protocol FITMessageReader {
    /// A file begins, the first one or one chained to it, with the header at this byte.
    mutating func begin(byte: Int)
    /// A message of local type `local` is from here on a message `number` with these developer fields.
    mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField])
    mutating func read(_ message: FITMessage)
}

extension FITMessageReader {
    package mutating func begin(byte: Int) {}
    package mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {}
}

/// One data message. Only valid during the call that hands it over: it points into the decoder's memory.
package struct FITMessage {
    /// The global message number: 20 for `record`.
    package let number: UInt16
    /// The local message type, 0 … 15.
    package let local: Int
    /// Offset of the message from the start of the file.
    package let byte: Int
    let isBigEndian: Bool
    /// The fields' values by field number, `FITNumber.none` where there is none.
    let values: UnsafePointer<Int64>
    /// What follows the message's header byte.
    let payload: ByteView
    /// Seconds since 1989-12-31T00:00:00Z, from the message's own field or its compressed header.
    package let timestamp: UInt32?

    /// The field's number as it stands in the file (`FITField.value` makes a quantity of it); nil when it is absent or
    /// invalid.
    @inline(__always)
    subscript(field: FITField) -> Int64? {
        let value = values[Int(field.number)]
        return value == FITNumber.none ? nil : value
    }

    /// The field as a number that fits `Number`; nil when it does not.
    @inline(__always)
    func exactly<Number: FixedWidthInteger>(_ field: FITField) -> Number? {
        self[field].flatMap { Number(exactly: $0) }
    }

    /// The elements of an array field; nil when it is absent.
    func array(_ field: FITField) -> FITArray? {
        guard field.isArray, let place = self[field] else { return nil }
        return FITArray(place: place, payload: payload, isBigEndian: isBigEndian)
    }

    /// The text of a field, to its terminating zero or, where there is none, to its end. Nil when empty.
    func string(_ field: FITField) -> String? {
        guard let array = array(field) else { return nil }
        let bytes = (0..<array.bytes.count).lazy.map { array.bytes.uint8(at: $0) }.prefix { $0 != 0 }
        let text = String(decoding: Array(bytes), as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// What the developer field says, in its own unit; nil when it is text or invalid.
    package func value(of field: FITDeveloperField) -> Double? {
        guard let type = field.type, type != .string, field.size >= type.size else { return nil }
        let number = FITNumber(type, bigEndian: isBigEndian)
        let value = number.real(payload, at: field.offset)
        guard type != .byte else {
            // Only all bytes of a field together say that there is no value.
            let isInvalid = field.wholeField.allSatisfy { payload.uint8(at: $0) == 0xFF }
            return isInvalid ? nil : value
        }
        if value.isNaN || type.invalid.map({ Double($0) == value }) == true { return nil }
        return value
    }
}

extension FITMessage {
    /// The text of a developer field; nil for another type.
    func text(of field: FITDeveloperField) -> String? {
        guard field.type == .string, field.offset + field.size <= payload.count else { return nil }
        let bytes = (field.offset..<field.offset + field.size).lazy.map { payload.uint8(at: $0) }.prefix { $0 != 0 }
        return String(decoding: Array(bytes), as: UTF8.self)
    }
}

/// A developer field as one definition message places it. Its meaning is in the file: `field_description`.
package struct FITDeveloperField: Equatable {
    package let name: String
    package let units: String
    /// The number of the app that the field is of; nil if the file does not say it.
    let application: [UInt8]?
    let type: FITBaseType?
    /// From the start of the payload.
    let offset: Int
    let size: Int
    /// The bytes of the array that this is an element of; those of the field itself if it is none.
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

    /// Longer arrays stay whole, and are left out: they are samples of their own rate.
    private static let mostElements = 32

    /// A field for each number of an array, named `name[0]`, `name[1]` …; itself if it is none.
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

/// The elements of an array field, where they lie in the message.
struct FITArray {
    let bytes: ByteView
    let type: FITBaseType
    private let number: FITNumber

    /// `place` is what `packed(offset:size:type:)` made.
    fileprivate init(place: Int64, payload: ByteView, isBigEndian: Bool) {
        let offset = Int(place & 0xFF_FFFF)
        let size = Int(place >> 24 & 0xFF)
        bytes = payload[offset..<offset + size]
        type = FITBaseType(rawValue: UInt8(truncatingIfNeeded: place >> 32)) ?? .byte
        number = FITNumber(type, bigEndian: isBigEndian)
    }

    /// The place of an array field as a value among the others.
    static func packed(offset: Int, size: Int, type: FITBaseType) -> Int64 {
        Int64(offset) | Int64(size) << 24 | Int64(type.rawValue) << 32
    }

    var count: Int { bytes.count / type.size }

    /// The element, which must exist; nil when it is invalid.
    subscript(index: Int) -> Int64? {
        let value = number.load(bytes, at: index * type.size)
        return value == FITNumber.none || value == type.invalid ? nil : value
    }
}
