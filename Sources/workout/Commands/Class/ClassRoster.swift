import ArgumentParser
import Foundation
import GATT
import HealthKit
import StoredWorkouts

/// The people of a class: a table that an editor or a spreadsheet opens, one person per line.
///
/// The first line names the columns, in any order: `name`, `sensors` (as in HEALTHKIT_SENSORS), `person` (in a store on a server; the name
/// if it is empty), and the options of `workout profile`, such as `date-of-birth`. Fields are separated by commas, semicolons or tabs, and
/// may be quoted (RFC 4180). Lines that begin with `#` are comments.
struct ClassRoster: Sendable {
    struct Athlete: Sendable, Equatable {
        var name: String
        var sensors: [SensorSpecification] = []
        /// The person in a store on a server.
        var person: String
        var profile = StoredProfile()
    }

    /// What is wrong with a roster, and where.
    struct Fault: Error, Equatable, CustomStringConvertible {
        var line: Int
        var reason: String
        var description: String { "line \(line): \(reason)" }
    }

    private(set) var athletes: [Athlete] = []
    /// Columns that mean nothing here, such as a telephone number.
    private(set) var unusedColumns: [String] = []

    /// The most athletes of one class.
    static let mostAthletes = 200
    /// The columns of a new roster.
    private static let usualColumns = ["name", "sensors", "date-of-birth", "maximum-heart-rate"]
    private static let otherNames = ["sensor": "sensors", "strap": "sensors", "straps": "sensors"]
    private static let profileColumns: Set = [
        "sex", "date-of-birth", "mass", "height", "resting-heart-rate", "maximum-heart-rate", "zones", "power-zones",
        "pace-zones", "ventilatory-thresholds", "threshold-power", "threshold-pace", "vo2max",
    ]

    init(_ text: String) throws(Fault) {
        var table = RosterTable(text)
        guard let header = try table.next() else {
            throw Fault(line: 1, reason: "the file is empty; its first line names the columns, such as name,sensors")
        }
        let columns = header.fields.map(Self.column)
        guard columns.contains("name") else {
            throw Fault(line: header.line, reason: "no column is called 'name'; the first line names the columns")
        }
        for (index, column) in columns.enumerated() where columns[..<index].contains(column) && !column.isEmpty {
            throw Fault(line: header.line, reason: "there are two columns '\(column)'")
        }
        unusedColumns = zip(columns, header.fields).compactMap { column, name in
            column.isEmpty || ["name", "sensors", "person"].contains(column) || Self.profileColumns.contains(column)
                ? nil : name
        }
        while let row = try table.next() {
            guard row.fields.count <= columns.count else {
                throw Fault(
                    line: row.line,
                    reason: "\(row.fields.count) fields, but only \(columns.count) columns; quote a field with commas")
            }
            let values = Dictionary(zip(columns, row.fields).filter { !$1.isEmpty }, uniquingKeysWith: { $1 })
            try add(values, line: row.line)
        }
        guard !athletes.isEmpty else { throw Fault(line: header.line, reason: "nobody is in the file") }
    }

    private static func column(_ name: String) -> String {
        let name = name.lowercased().split { $0 == " " || $0 == "_" || $0 == "-" }.joined(separator: "-")
        return otherNames[name] ?? name
    }

    private mutating func add(_ values: [String: String], line: Int) throws(Fault) {
        guard let name = values["name"] else { throw Fault(line: line, reason: "the name is missing") }
        guard athletes.count < Self.mostAthletes else {
            throw Fault(line: line, reason: "a class has at most \(Self.mostAthletes) people")
        }
        var athlete = Athlete(name: name, person: values["person"] ?? name)
        guard !athletes.contains(where: { $0.name == name }) else {
            throw Fault(line: line, reason: "'\(name)' is in the file twice")
        }
        if let other = athletes.first(where: { $0.person == athlete.person }) {
            throw Fault(line: line, reason: "'\(name)' and '\(other.name)' are the same person, '\(athlete.person)'")
        }
        do {
            athlete.sensors = try values["sensors"].map { try Self.sensors($0) } ?? []
            athlete.profile = try Self.profile(values)
        } catch {
            throw Fault(line: line, reason: "\(name): \(CommandFailure.describe(error))")
        }
        for sensor in athlete.sensors {
            guard sensor.deviceAddress != nil, let other = athletes.first(where: { $0.sensors.contains(sensor) }) else {
                continue
            }
            throw Fault(line: line, reason: "'\(name)' and '\(other.name)' have the same sensor")
        }
        athletes.append(athlete)
    }

    /// As in HEALTHKIT_SENSORS; an address alone is one of Bluetooth.
    private static func sensors(_ text: String) throws -> [SensorSpecification] {
        let parts = text.split(separator: ",").map { part in
            let part = part.trimmingCharacters(in: .whitespaces)
            guard let address = DeviceAddress(part), address.ant == nil else { return part }
            return "ble:" + part
        }
        return try SensorSpecification.list(parts.joined(separator: ","))
    }

    /// Reads the columns as the options of the same names.
    private static func profile(_ values: [String: String]) throws -> StoredProfile {
        let arguments = values.filter { profileColumns.contains($0.key) }.sorted { $0.key < $1.key }.flatMap {
            ["--\($0.key)=\($0.value)"]
        }
        var profile = StoredProfile()
        do {
            try ProfileOptions.parse(arguments).set(&profile)
        } catch let failure as CommandFailure {
            throw CommandFailure(
                exitCode: .badInput, message: failure.message.replacingOccurrences(of: "--", with: ""))
        }
        return profile
    }

    // MARK: A new athlete

    /// Returns the text of a roster with one more athlete at its end. Everything before stays as it is.
    /// - Parameter text: Empty for a new roster.
    static func adding(_ name: String, sensor: String, to text: String) throws(Fault) -> String {
        var text = text
        if text.isEmpty { text = usualColumns.joined(separator: ",") + "\n" }
        var table = RosterTable(text)
        guard let header = try table.next() else {
            throw Fault(line: 1, reason: "the first line must name the columns, such as name,sensors")
        }
        let columns = header.fields.map(Self.column)
        guard columns.contains("name"), columns.contains("sensors") else {
            throw Fault(line: header.line, reason: "the first line must have the columns 'name' and 'sensors'")
        }
        if !text.hasSuffix("\n") { text += text.contains("\r\n") ? "\r\n" : "\n" }
        let fields = columns.map { column in
            column == "name" ? table.quoted(name) : column == "sensors" ? table.quoted(sensor) : ""
        }
        return text + fields.joined(separator: String(table.separator)) + (text.contains("\r\n") ? "\r\n" : "\n")
    }
}

/// The rows of a roster with the numbers of their lines.
private struct RosterTable {
    let separator: Character
    private let text: [Character]
    private var place = 0
    private var line = 1

    init(_ text: String) {
        self.text = Array(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        let first = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
        separator = [",", ";", "\t"].max { a, b in first.count { $0 == a } < first.count { $0 == b } } ?? ","
    }

    func quoted(_ field: String) -> String {
        guard field.contains(where: { $0 == separator || $0 == "\"" || $0.isNewline }) else { return field }
        return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    /// The next row that is not empty and no comment. Fields are without surrounding spaces.
    mutating func next() throws(ClassRoster.Fault) -> (line: Int, fields: [String])? {
        while place < text.count {
            let start = line
            if text[place] == "#" {
                while place < text.count, !text[place].isNewline { place += 1 }
                endLine()
                continue
            }
            let fields = try row()
            if fields.contains(where: { !$0.isEmpty }) { return (start, fields) }
        }
        return nil
    }

    private mutating func endLine() {
        guard place < text.count else { return }
        place += 1
        line += 1
    }

    private mutating func row() throws(ClassRoster.Fault) -> [String] {
        var fields: [String] = []
        while true {
            while place < text.count, text[place] == " " { place += 1 }
            fields.append(place < text.count && text[place] == "\"" ? try quotedField() : plainField())
            guard place < text.count, text[place] == separator else { break }
            place += 1
        }
        endLine()
        return fields
    }

    private mutating func plainField() -> String {
        let start = place
        while place < text.count, text[place] != separator, !text[place].isNewline { place += 1 }
        return String(text[start..<place]).trimmingCharacters(in: .whitespaces)
    }

    private mutating func quotedField() throws(ClassRoster.Fault) -> String {
        let start = line
        var field = ""
        place += 1
        while place < text.count {
            let character = text[place]
            place += 1
            if character == "\"" {
                guard place < text.count, text[place] == "\"" else {
                    let rest = plainField()
                    guard rest.isEmpty else {
                        throw ClassRoster.Fault(line: line, reason: "'\(rest)' follows a quoted field")
                    }
                    return field.trimmingCharacters(in: .whitespaces)
                }
                place += 1
            } else if character.isNewline {
                line += 1
            }
            field.append(character)
        }
        throw ClassRoster.Fault(line: start, reason: "a quoted field does not end")
    }
}
