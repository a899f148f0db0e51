/// What the developer fields of records say that this package writes for what FIT has no field for: readings, named and with
/// units as a session log has them, as numbers of double precision.
struct FITOwnReadings {
    struct Value {
        /// Of the record.
        var time: UInt32
        var sequence: UInt32
        var type: String
        var unit: String
        var value: Double
    }

    var values: [Value] = []
    /// Of each local message type.
    private var fields = [[FITDeveloperField]](repeating: [], count: 16)

    mutating func define(local: Int, number: UInt16, _ developerFields: [FITDeveloperField]) {
        fields[local] = number == FITProfile.MessageNumber.record ? developerFields.filter(Self.isOwn) : []
    }

    @inline(__always)
    mutating func read(_ message: FITMessage, time: UInt32, sequence: UInt32) {
        if !fields[message.local].isEmpty { add(message, time: time, sequence: sequence) }
    }

    private mutating func add(_ message: FITMessage, time: UInt32, sequence: UInt32) {
        for field in fields[message.local] {
            guard let value = message.value(of: field), value.isFinite else { continue }
            values.append(Value(time: time, sequence: sequence, type: field.name, unit: field.units, value: value))
        }
    }

    /// Others write single precision, and name fields for people.
    private static func isOwn(_ field: FITDeveloperField) -> Bool {
        guard field.type == .float64, field.size == 8, let first = field.name.first else { return false }
        return first.isLowercase && field.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && ReadingUnit.isKnown(field.units)
    }
}
