import SessionLog

/// The contents of a definition message, prepared for decoding the data messages that follow it.
struct FITDefinition: BitwiseCopyable {
    var isDefined = false
    var isBigEndian = false
    /// Whether the profile knows the message and its fields.
    var isKnown = false
    var number: UInt16 = 0
    /// The size of a data message in bytes, without its header byte.
    var size: Int32 = 0
    /// The number of fields to load.
    var stepCount: Int32 = 0
    /// Offset of a usable `timestamp` in the payload, or −1 if there is none.
    var timestampOffset: Int32 = -1
}

/// One field to load: its offset, type and number.
struct FITFieldStep: BitwiseCopyable {
    var invalid: Int64
    var offset: Int32
    var number: FITNumber
    var field: UInt8
}

/// The sixteen local message types with their decoding plans and last decoded values, in memory allocated once.
///
/// Values are kept by field number. Fields that a definition lacks are set to "none" when it is defined and never
/// written again. So a data message costs one load, one comparison and one store per wanted field, and nothing for the
/// others.
struct FITDefinitions: ~Copyable {
    private let definitions = FixedBuffer(repeating: FITDefinition(), count: 16)
    private let steps = FixedBuffer(
        repeating: FITFieldStep(invalid: 0, offset: 0, number: .uint8, field: 0), count: 16 * 256)
    private let values = FixedBuffer(repeating: FITNumber.none, count: 16 * 256)
    private var descriptions: [Int: FITFieldDescription] = [:]
    /// IDs of the applications by the index of the developer.
    private var applications: [UInt8: [UInt8]] = [:]

    /// Removes all definitions; each file of a chain starts without any.
    mutating func forget() {
        definitions.fill(0..<16, with: FITDefinition())
        descriptions = [:]
        applications = [:]
    }

    @inline(__always)
    subscript(local: Int) -> FITDefinition { definitions[local] }

    /// Returns the last decoded values of a local type, by field number.
    @inline(__always)
    func values(of local: Int) -> UnsafePointer<Int64> { values.values(from: local &* 256) }

    /// Loads the wanted fields of a data message.
    @inline(__always)
    func load(_ definition: FITDefinition, local: Int, payload: ByteView) {
        let first = local &* 256
        for index in first..<first &+ Int(definition.stepCount) {
            let step = steps[index]
            let value = step.number.load(payload, at: Int(step.offset))
            values[first &+ Int(step.field)] = value == step.invalid ? FITNumber.none : value
        }
    }

    /// Returns the length of the definition message at `at`, or the number of bytes needed to know it.
    static func length(of bytes: ByteView, at: Int, limit: Int) -> (length: Int, isKnown: Bool) {
        guard at + 6 <= limit else { return (6, false) }
        let fields = 6 + 3 * Int(bytes.uint8(at: at + 5))
        guard bytes.uint8(at: at) & 0x20 != 0 else { return (fields, true) }
        guard at + fields + 1 <= limit else { return (fields + 1, false) }
        return (fields + 1 + 3 * Int(bytes.uint8(at: at + fields)), true)
    }

    /// Reads a complete definition message: header byte, reserved byte, architecture, number, fields, developer fields.
    mutating func define(
        _ bytes: ByteView, byte: Int, warnings: inout RecordingWarnings<FITFault>
    ) -> [FITDeveloperField] {
        let local = Int(bytes.uint8(at: 0) & 0x0F)
        var definition = FITDefinition(isDefined: true, isBigEndian: bytes.uint8(at: 2) == 1)
        let number = bytes.uint16(at: 3)
        definition.number = definition.isBigEndian ? number.byteSwapped : number
        values.fill(local * 256..<(local + 1) * 256, with: FITNumber.none)

        let message = FITProfile.message(definition.number)
        definition.isKnown = message != nil
        let wanted = message?.fields ?? []
        let fieldCount = Int(bytes.uint8(at: 5))
        var offset = 0
        for index in 0..<fieldCount {
            let at = 6 + 3 * index
            let field = bytes.uint8(at: at)
            let size = Int(bytes.uint8(at: at + 1))
            defer { offset += size }
            let known =
                field == FITProfile.timestamp.number ? FITProfile.timestamp : wanted.first { $0.number == field }
            guard let type = FITBaseType(lenient: bytes.uint8(at: at + 2)) else {
                if known != nil {
                    warnings.addOnce(
                        .fieldType(message: definition.number, field: field), byte: byte + at,
                        "\(Self.name(of: field, definition)) has the unknown base type \(bytes.uint8(at: at + 2)); "
                            + "it is left out")
                }
                continue
            }
            guard size % type.size == 0 else {
                warnings.addOnce(
                    .fieldSize(message: definition.number, field: field), byte: byte + at,
                    "\(Self.name(of: field, definition)) has a size of \(size), no multiple of the "
                        + "\(type.size) bytes of \(type); it is left out")
                continue
            }
            guard let known, size > 0 else { continue }
            add(known, type: type, offset: offset, size: size, to: &definition, local: local)
        }

        var developerFields: [FITDeveloperField] = []
        if bytes.uint8(at: 0) & 0x20 != 0 {
            let first = 6 + 3 * fieldCount
            for index in 0..<Int(bytes.uint8(at: first)) {
                let at = first + 1 + 3 * index
                let size = Int(bytes.uint8(at: at + 1))
                defer { offset += size }
                let field = bytes.uint8(at: at)
                let developer = bytes.uint8(at: at + 2)
                let key = FITFieldDescription.key(index: developer, field: field)
                guard let description = descriptions[key] else {
                    warnings.addOnce(
                        .developerField(developer: developer, field: field), byte: byte + at,
                        "developer field \(field) of developer \(developer) has no description; it is left out")
                    continue
                }
                developerFields +=
                    FITDeveloperField(
                        name: description.name, units: description.units, application: applications[developer],
                        type: description.type, offset: offset, size: size
                    ).elements
                guard let native = description.native(in: wanted, of: definition.number), size > 0,
                    !hasStep(for: native.number, definition, local: local),
                    let type = description.type, type != .string, size % type.size == 0
                else { continue }
                add(native, type: type, offset: offset, size: size, to: &definition, local: local)
            }
        }
        definition.size = Int32(offset)
        definitions[local] = definition
        return developerFields
    }

    /// Reads a `field_description` message.
    mutating func describe(_ message: FITMessage, warnings: inout RecordingWarnings<FITFault>) {
        guard let description = FITFieldDescription(message) else {
            warnings.addOnce(
                .fieldDescription, byte: message.byte, "a field_description names no field; it is left out")
            return
        }
        guard descriptions.count < FITFieldDescription.limit || descriptions[description.key] != nil else {
            warnings.addOnce(
                .tooManyFieldDescriptions, byte: message.byte,
                "more than \(FITFieldDescription.limit) developer fields are described; the others are left out")
            return
        }
        descriptions[description.key] = description
    }

    /// Reads a `developer_data_id` message.
    mutating func identify(_ message: FITMessage) {
        guard let index: UInt8 = message.exactly(FITProfile.DeveloperDataID.developerDataIndex) else { return }
        let bytes = message.array(FITProfile.DeveloperDataID.applicationID)?.bytes
        applications[index] = bytes.map { bytes in (0..<bytes.count).map { bytes.uint8(at: $0) } }
    }

    private func add(
        _ field: FITField, type: FITBaseType, offset: Int, size: Int, to definition: inout FITDefinition, local: Int
    ) {
        if field.isArray {
            values[local * 256 + Int(field.number)] = FITArray.packed(offset: offset, size: size, type: type)
            return
        }
        guard type != .string, definition.stepCount < 256 else { return }
        let number = FITNumber(type, bigEndian: definition.isBigEndian)
        if field.number == FITProfile.timestamp.number {
            guard type.size == 4 else { return }
            definition.timestampOffset = Int32(offset)
        }
        steps[local * 256 + Int(definition.stepCount)] = FITFieldStep(
            invalid: type.invalid ?? FITNumber.none, offset: Int32(offset), number: number, field: field.number)
        definition.stepCount += 1
    }

    private func hasStep(for field: UInt8, _ definition: FITDefinition, local: Int) -> Bool {
        (0..<Int(definition.stepCount)).contains { steps[local * 256 + $0].field == field }
    }

    /// The name of a field for warnings.
    private static func name(of field: UInt8, _ definition: FITDefinition) -> String {
        let name = FITProfile.fieldName(field, of: definition.number)
        return "field \(name) of message \(FITProfile.messageName(definition.number))"
    }
}

/// The description of a developer field: a `field_description` message.
struct FITFieldDescription {
    /// The most descriptions to keep: more than any real file has, and few enough for memory.
    static let limit = 1024

    let key: Int
    let name: String
    let units: String
    let type: FITBaseType?
    private let nativeMessage: UInt16?
    private let nativeField: UInt8?

    /// Returns nil if the message names no field.
    init?(_ message: FITMessage) {
        guard let index: UInt8 = message.exactly(FITProfile.FieldDescription.developerDataIndex),
            let field: UInt8 = message.exactly(FITProfile.FieldDescription.fieldDefinitionNumber)
        else { return nil }
        key = Self.key(index: index, field: field)
        name = message.string(FITProfile.FieldDescription.fieldName) ?? "\(field)"
        units = message.string(FITProfile.FieldDescription.units) ?? ""
        let type: UInt8? = message.exactly(FITProfile.FieldDescription.baseType)
        self.type = type.flatMap(FITBaseType.init(lenient:))
        nativeMessage = message.exactly(FITProfile.FieldDescription.nativeMessageNumber)
        nativeField = message.exactly(FITProfile.FieldDescription.nativeFieldNumber)
    }

    static func key(index: UInt8, field: UInt8) -> Int { Int(index) << 8 | Int(field) }

    /// Returns the field of the profile that this one replaces. Only for fields without a scale, because files disagree
    /// on whether a developer field that replaces a scaled one is scaled too.
    func native(in fields: [FITField], of message: UInt16) -> FITField? {
        guard nativeMessage == message, let nativeField else { return nil }
        return fields.first { $0.number == nativeField && $0.scale == 1 && $0.offset == 0 && !$0.isArray }
    }
}
