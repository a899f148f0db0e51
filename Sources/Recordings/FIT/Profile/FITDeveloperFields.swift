import Foundation
import SessionLog

/// The developer fields of records: what apps and sensors add to them under names of their own.
///
/// Those that this package writes for what FIT has no field for are the log's own types, with their units. The fields of others
/// keep their names behind ``NeutralType/developerPrefix``.
struct FITDeveloperFields {
    /// What readings of a field are of.
    struct Name: Hashable, Sendable {
        var type: String
        var unit: String
    }

    /// In the order in which they came up: ``FITDeveloperValue/field`` counts in it.
    private(set) var names: [Name] = []
    private var places: [Name: Int] = [:]
    /// Of each local message type, those of records.
    private var fields = [[(place: Int, field: FITDeveloperField)]](repeating: [], count: 16)

    /// Of all files of a chain. More are left out.
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

/// What a record says in a developer field.
struct FITDeveloperValue: BitwiseCopyable {
    /// The record's place among all messages of the file.
    var sequence: UInt32
    /// Of the record.
    var time: UInt32
    /// Of ``FITDeveloperFields/names``.
    var field: UInt32
    var value: Double
}

/// The developer fields of laps and sessions, as metadata: under their names behind ``NeutralType/developerPrefix``, with their units
/// in brackets.
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

    /// Nil for a key of something else.
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

    /// Written by this package, in its own types and units.
    fileprivate var isOwn: Bool { application == FITApplication.own && type == .float64 }
}

/// Applications that developer fields are of.
enum FITApplication {
    /// Made up once, by which a reader knows the fields of this package again.
    static let own: [UInt8] = [
        0x4F, 0x48, 0x4B, 0x6B, 0x91, 0x5C, 0x42, 0x3E, 0xA8, 0x17, 0x5D, 0x20, 0xE4, 0x7B, 0x03, 0x9A,
    ]
    /// Its field of the `activity` message that names the workout, so that the file is known again.
    static let workoutID = "workout_id"
    /// Of the fields of others, which this package hands on.
    static let handedOn: [UInt8] = [
        0x4F, 0x48, 0x4B, 0x6B, 0x91, 0x5C, 0x42, 0x3E, 0xA8, 0x17, 0x5D, 0x20, 0xE4, 0x7B, 0x03, 0x9B,
    ]
}
