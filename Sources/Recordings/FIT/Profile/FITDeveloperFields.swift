import Foundation
import SessionLog

/// The developer fields of records, which apps and sensors add under their own names.
///
/// Fields that this package writes for types that FIT lacks become the log's own types with their units. All other
/// fields keep their names behind ``NeutralType/developerPrefix``.
struct FITDeveloperFields {
    /// The type and unit of the readings that a field holds.
    struct Name: Hashable, Sendable {
        var type: String
        var unit: String
    }

    /// The names in order of first appearance. ``FITDeveloperValue/field`` is an index into this array.
    private(set) var names: [Name] = []
    private var places: [Name: Int] = [:]
    /// The fields of records, by local message type.
    private var fields = [[(place: Int, field: FITDeveloperField)]](repeating: [], count: 16)

    /// The most fields in all files of a chain. Further ones are left out.
    static let limit = 256

    mutating func define(local: Int, number: UInt16, _ developerFields: [FITDeveloperField]) {
        fields[local] = []
        guard number == FITProfile.MessageNumber.record else { return }
        for field in developerFields where field.isNumber {
            if let place = place(of: field) { fields[local].append((place, field)) }
        }
    }

    private mutating func place(of field: FITDeveloperField) -> Int? {
        let name = Name(
            type: field.isOwn ? field.name : NeutralType.developerPrefix + field.name, unit: field.units)
        if let known = places[name] { return known }
        guard names.count < Self.limit else { return nil }
        places[name] = names.count
        names.append(name)
        return names.count - 1
    }

    func has(local: Int) -> Bool { !fields[local].isEmpty }

    /// Calls `take` for each value of a record.
    func forEach(_ message: FITMessage, _ take: (_ field: Int, _ value: Double) -> Void) {
        for (place, field) in fields[message.local] {
            if let value = message.value(of: field), value.isFinite { take(place, value) }
        }
    }
}

/// One value of a developer field in a record.
struct FITDeveloperValue: BitwiseCopyable {
    /// The index of the record among all messages of the file.
    var sequence: UInt32
    /// The time of the record.
    var time: UInt32
    /// Index into ``FITDeveloperFields/names``.
    var field: UInt32
    var value: Double
}

/// The developer fields of laps and sessions as metadata, under their names behind ``NeutralType/developerPrefix`` and
/// with their units in brackets.
enum FITDeveloperMetadata {
    static func values(of message: FITMessage, _ fields: [FITDeveloperField]) -> [String: MetadataValue] {
        var values: [String: MetadataValue] = [:]
        for field in fields where field.application != FITApplication.own && field.isNumberOrText {
            let key = key(field.name, unit: field.units)
            if let text = message.text(of: field) {
                if !text.isEmpty { values[key] = .string(text) }
            } else if let value = message.value(of: field), value.isFinite {
                values[key] = .number(value)
            }
        }
        return values
    }

    static func key(_ name: String, unit: String) -> String {
        NeutralType.developerPrefix + name + (unit.isEmpty ? "" : " [\(unit)]")
    }

    /// Returns nil if the key is not one of a developer field.
    static func field(of key: String) -> (name: String, unit: String)? {
        guard key.hasPrefix(NeutralType.developerPrefix) else { return nil }
        let name = key.dropFirst(NeutralType.developerPrefix.count)
        guard name.last == "]", let bracket = name.range(of: " [", options: .backwards) else {
            return (String(name), "")
        }
        return (String(name[..<bracket.lowerBound]), String(name[bracket.upperBound...].dropLast()))
    }
}

extension FITDeveloperField {
    var isNumberOrText: Bool { isNumber || type == .string && !name.isEmpty }

    var isNumber: Bool {
        guard let type, type != .string else { return false }
        return size == type.size && !name.isEmpty
    }

    /// Whether this package wrote the field, in its own types and units.
    var isOwn: Bool { application == FITApplication.own && type == .float64 }
}

/// The applications that define developer fields.
enum FITApplication {
    /// An ID made up once, by which a reader recognises the fields of this package.
    static let own: [UInt8] = [
        0x4F, 0x48, 0x4B, 0x6B, 0x91, 0x5C, 0x42, 0x3E, 0xA8, 0x17, 0x5D, 0x20, 0xE4, 0x7B, 0x03, 0x9A,
    ]
    /// The field of the `activity` message that holds the ID of the workout, so that the file is recognised later.
    static let workoutID = "workout_id"
    /// The ID for fields of other applications that this package passes on.
    static let handedOn: [UInt8] = [
        0x4F, 0x48, 0x4B, 0x6B, 0x91, 0x5C, 0x42, 0x3E, 0xA8, 0x17, 0x5D, 0x20, 0xE4, 0x7B, 0x03, 0x9B,
    ]
}
