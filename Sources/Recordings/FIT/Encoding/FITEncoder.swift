/// The value of a field with its type in the file.
struct FITFieldValue {
    var number: UInt8
    var type: FITBaseType
    var bytes: [UInt8]

    /// A number as the file stores it: already scaled, and within the range of the type.
    init(_ number: UInt8, _ type: FITBaseType, _ value: Int64) {
        self.number = number
        self.type = type
        bytes = (0..<type.size).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    /// Text with a terminating zero, cut at a whole character to the size that a field can hold.
    init(_ number: UInt8, _ text: String) {
        self.number = number
        type = .string
        bytes = []
        for character in text where character != "\0" {
            let next = Array(String(character).utf8)
            if bytes.count + next.count > 250 { break }
            bytes += next
        }
        bytes.append(0)
    }

    init(_ number: UInt8, bytes: [UInt8]) {
        self.number = number
        type = .byte
        self.bytes = bytes
    }
}

/// The bytes of a FIT file: definitions, messages, and the header and checksum around them. FIT Protocol, “File
/// structure”.
///
/// A message has only the fields that have values. A different set of fields gets a different definition, so no field
/// ever needs a “none” value.
struct FITEncoder {
    private(set) var bytes: [UInt8] = []
    private var checksum = FITChecksum()
    /// The bytes handed over so far, without the header.
    private var dataSize = -headerSize
    /// The current definition of each local message type.
    private var definitions = [[UInt8]](repeating: [], count: 16)

    static let headerSize = 14

    /// Begins the file with a header whose size is not yet known.
    mutating func begin() { bytes += Self.header(dataSize: 0) }

    /// A header of 14 bytes: protocol 2.0 for developer fields, profile 21.54.
    static func header(dataSize: UInt32) -> [UInt8] {
        var header: [UInt8] = [UInt8(headerSize), 0x20]
        header += little(UInt16(2154)) + little(dataSize) + Array(".FIT".utf8)
        var checksum = FITChecksum()
        checksum.update(header)
        return header + little(checksum.value)
    }

    /// The final header, once everything is written. Nil if there are more bytes than a FIT file can hold.
    var finalHeader: [UInt8]? { UInt32(exactly: dataSize).map(Self.header) }

    /// Moves the bytes to `output`.
    mutating func take(to output: inout [UInt8]) {
        checksum.update(bytes)
        dataSize += bytes.count
        output += bytes
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes a message with the fields that have values.
    ///
    /// - Parameter developer: Developer fields, each with the index of its developer.
    mutating func message(
        _ number: UInt16, local: Int, _ fields: [FITFieldValue],
        developer: [(field: FITFieldValue, index: UInt8)] = []
    ) {
        var definition = [UInt8(fields.count)]
        for field in fields { definition += [field.number, UInt8(field.bytes.count), field.type.rawValue] }
        var developerDefinition: [UInt8] = developer.isEmpty ? [] : [UInt8(developer.count)]
        for (field, index) in developer { developerDefinition += [field.number, UInt8(field.bytes.count), index] }
        define(local, number, definition, developer: developerDefinition)
        bytes.append(UInt8(local))
        for field in fields { bytes += field.bytes }
        for (field, _) in developer { bytes += field.bytes }
    }

    /// Defines a local message type, unless it already has this definition.
    mutating func define(_ local: Int, _ number: UInt16, _ fields: [UInt8], developer: [UInt8]) {
        let definition =
            [0x40 | UInt8(local) | (developer.isEmpty ? 0 : 0x20), 0, 0] + Self.little(number) + fields + developer
        guard definitions[local] != definition else { return }
        definitions[local] = definition
        bytes += definition
    }

    /// Writes a message whose bytes `body` appends, with the current definition of its local type.
    mutating func message(local: Int, _ body: (inout [UInt8]) -> Void) {
        bytes.append(UInt8(local))
        body(&bytes)
    }

    /// Ends the file with the checksum over header and messages. A header that ends with its own checksum adds nothing
    /// to it (the checksum of bytes and their checksum is 0), so the size in the header can be filled in last.
    mutating func finish(to output: inout [UInt8]) {
        take(to: &output)
        output += Self.little(checksum.value)
    }

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

extension FITChecksum {
    fileprivate mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { if let view = ByteView($0) { update(view) } }
    }
}
