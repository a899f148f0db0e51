/// The stored form of metadata: JSON with sorted keys, so that equal metadata has equal bytes and is stored once.
///
/// Unlike a session log, it keeps every number exactly: 64-bit integers, and doubles that are not finite.
enum StoredMetadata {
    private enum Value: Codable {
        case text(String)
        case flag(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case number(String)
        case date(String)
        case quantity(String, unit: String)

        init?(_ value: Any) {
            switch value {
            case let text as String: self = .text(text)
            case let date as Date: self = .date(date.timeIntervalSinceReferenceDate.description)
            case let quantity as HKQuantity:
                self = .quantity(quantity.value.description, unit: quantity.unit.unitString)
            case let number as NSNumber:
                // There are only two objects for numbers made from a Bool. The type code alone does not tell them from
                // integers.
                if number === NSNumber(value: true) || number === NSNumber(value: false) {
                    self = .flag(number.boolValue)
                } else if let integer = number as? Int64 {
                    self = number.isFloatingPoint ? .number(number.doubleValue.description) : .integer(integer)
                } else if let integer = number as? UInt64, !number.isFloatingPoint {
                    self = .unsigned(integer)
                } else {
                    self = .number(number.doubleValue.description)
                }
            default: return nil
            }
        }

        var object: Any? {
            switch self {
            case .text(let text): text
            case .flag(let flag): NSNumber(value: flag)
            case .integer(let integer): NSNumber(value: integer)
            case .unsigned(let integer): NSNumber(value: integer)
            case .number(let text): Double(text).map { NSNumber(value: $0) }
            case .date(let text): Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
            case .quantity(let text, let unit):
                Double(text).flatMap { value in
                    (try? HKUnit.parse(unit)).map { HKQuantity(unit: $0, doubleValue: value) }
                }
            }
        }
    }

    static func encoded(_ metadata: [String: Any]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(metadata.compactMapValues(Value.init))
    }

    static func decoded(_ data: Data) throws -> [String: Any] {
        try JSONDecoder().decode([String: Value].self, from: data).compactMapValues(\.object)
    }
}

extension NSNumber {
    fileprivate var isFloatingPoint: Bool {
        let code = objCType.pointee
        return code == 0x64 || code == 0x66  // "d", "f"
    }
}
