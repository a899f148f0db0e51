/// A value of a field, with the type that it has in the file.
struct FITFieldValue {
    var number: UInt8
    var type: FITBaseType
    var bytes: [UInt8]

    /// The number as it stands in the file, which the type must hold; scaled already.
    init(_ number: UInt8, _ type: FITBaseType, _ value: Int64) {
        self.number = number
        self.type = type
        bytes = (0..<type.size).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    /// Text with its terminating zero, cut to what a field holds at a whole character.
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
/// A message has exactly the fields that it has values for: another set of fields is another definition, so that no value
/// has to say that there is none.
struct FITEncoder {
    private(set) var bytes: [UInt8] = []
    private var checksum = FITChecksum()
    /// Of all that was handed over, the header left out.
    private var dataSize = -headerSize
    /// What each local message type is defined as.
    private var definitions = [[UInt8]](repeating: [], count: 16)

    static let headerSize = 14

    /// Begins the file. The size is not known yet.
    mutating func begin() { bytes += Self.header(dataSize: 0) }

    /// 14 bytes: protocol 2.0 for developer fields, profile 21.54.
    static func header(dataSize: UInt32) -> [UInt8] {
        var header: [UInt8] = [UInt8(headerSize), 0x20]
        header += little(UInt16(2154)) + little(dataSize) + Array(".FIT".utf8)
        var checksum = FITChecksum()
        checksum.update(header)
        return header + little(checksum.value)
    }

    /// The header as it has to be, once all is written; nil for more bytes than a FIT file holds.
    var finalHeader: [UInt8]? { UInt32(exactly: dataSize).map(Self.header) }

    /// Hands the bytes over.
    mutating func take(to output: inout [UInt8]) {
        checksum.update(bytes)
        dataSize += bytes.count
        output += bytes
        bytes.removeAll(keepingCapacity: true)
    }

    /// A message of the fields that have values.
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

    /// Says what messages of a local type are, unless that is what they are already.
    mutating func define(_ local: Int, _ number: UInt16, _ fields: [UInt8], developer: [UInt8]) {
        let definition =
            [0x40 | UInt8(local) | (developer.isEmpty ? 0 : 0x20), 0, 0] + Self.little(number) + fields + developer
        guard definitions[local] != definition else { return }
        definitions[local] = definition
        bytes += definition
    }

    /// A message whose bytes `body` appends, by the definition of its local type.
    mutating func message(local: Int, _ body: (inout [UInt8]) -> Void) {
        bytes.append(UInt8(local))
        body(&bytes)
    }

    /// The checksum over header and messages. A header that ends with its own checksum adds nothing to it (the checksum of
    /// bytes and their checksum is 0), so that it does not matter that the size in it comes last.
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
