/// What a file says of a developer field: a `field_description` message.
struct FITFieldDescription {
    /// More than any real file has, and few enough to hold.
    static let limit = 1024

    let key: Int
    let name: String
    let units: String
    let type: FITBaseType?
    private let nativeMessage: UInt16?
    private let nativeField: UInt8?

    /// Nil when it names no field.
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

    /// The field of the profile that this one stands in for. Only where the profile has no scale: whether a developer
    /// field that stands in for a scaled one is scaled too, files do not agree.
    func native(in fields: [FITField], of message: UInt16) -> FITField? {
        guard nativeMessage == message, let nativeField else { return nil }
        return fields.first { $0.number == nativeField && $0.scale == 1 && $0.offset == 0 && !$0.isArray }
    }
}
