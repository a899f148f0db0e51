public import Foundation

/// Settings for what a table (CSV, RR intervals) does not state, from the caller.
public struct TableOptions: Sendable, Equatable {
    /// The meanings of columns, in addition to those that their names state.
    public var columns: [TableColumn]
    /// The start of a recording that does not state it.
    public var start: Date?
    /// The time zone of times that have none.
    public var zone: TimeZone
    /// A case of `HKWorkoutActivityType`, such as `running`, for a recording that does not state its activity.
    public var activity: String?

    /// Creates the options. Without arguments only the table counts, and times are in this machine's time zone.
    public init(
        columns: [TableColumn] = [], start: Date? = nil, zone: TimeZone = .current, activity: String? = nil
    ) {
        self.columns = columns
        self.start = start
        self.zone = zone
        self.activity = activity
    }
}

/// A column that the user names: `heart-rate=HR`, `time=2`, `speed=4(km/h)`.
public struct TableColumn: Sendable, Hashable {
    let meaning: TableMeaning
    /// The number of the column from 1 on, or its name in the header.
    let place: String
    let unit: String?

    /// - Throws: `Fault`, which describes what is wrong with the text.
    public init(parsing text: String) throws(Fault) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw Fault(
                description: "'\(text)' is not a column; write QUANTITY=COLUMN, such as heart-rate=2 or time=Clock")
        }
        let name = text[..<equals].trimmingCharacters(in: .whitespaces)
        guard let meaning = TableMeaning(named: name) else {
            throw Fault(
                description: "unknown quantity '\(name)'; choose one of "
                    + TableMeaning.all.map(\.name).joined(separator: ", "))
        }
        self.meaning = meaning
        var place = text[text.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        var unit: String?
        if place.hasSuffix(")"), let open = place.lastIndex(of: "("),
            Int(place[..<open].trimmingCharacters(in: .whitespaces)) != nil
        {
            unit = String(place[place.index(after: open)...].dropLast())
            place = place[..<open].trimmingCharacters(in: .whitespaces)
        }
        guard !place.isEmpty else {
            throw Fault(description: "'\(text)' is not a column; write its number, from 1, or its name")
        }
        if let unit, TableUnit(unit, of: meaning) == nil {
            throw Fault(description: "'\(unit)' is not a unit of \(meaning.name)")
        }
        self.place = place
        self.unit = unit
    }

    /// The reason why a text names no column.
    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong with the text, and what it should be.
        public var description: String
    }

    /// Returns the index of the column among these names from 0 on, or nil if it is not there.
    func index(in names: [String]) -> Int? {
        if let exact = names.firstIndex(of: place) { return exact }
        if let number = Int(place) { return names.indices.contains(number - 1) ? number - 1 : nil }
        return names.firstIndex { $0.caseInsensitiveCompare(place) == .orderedSame }
    }
}
