public import Foundation

/// What a table (CSV, RR intervals) may leave open, from whoever reads it.
public struct TableOptions: Sendable, Equatable {
    /// Which column is what, beside those whose names say it.
    public var columns: [TableColumn]
    /// When a recording began that does not say so itself.
    public var start: Date?
    /// Where times are from that have no zone.
    public var zone: TimeZone
    /// A case of `HKWorkoutActivityType`, such as `running`, for a recording that does not say what was done.
    public var activity: String?

    /// Without arguments: nothing is known but what the table says, and times are those of this machine's zone.
    public init(
        columns: [TableColumn] = [], start: Date? = nil, zone: TimeZone = .current, activity: String? = nil
    ) {
        self.columns = columns
        self.start = start
        self.zone = zone
        self.activity = activity
    }
}

/// A column that somebody named: `heart-rate=HR`, `time=2`, `speed=4(km/h)`.
public struct TableColumn: Sendable, Hashable {
    let meaning: TableMeaning
    /// From 1 on, or the name in the header.
    let place: String
    let unit: String?

    /// - Throws: `Fault`, which says what is wrong with it.
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

    /// Why a text names no column.
    public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong with the text, and what it should be.
        public var description: String
    }

    /// Its place in a row of these names, from 0 on; nil where it is not among them.
    func index(in names: [String]) -> Int? {
        if let exact = names.firstIndex(of: place) { return exact }
        if let number = Int(place) { return names.indices.contains(number - 1) ? number - 1 : nil }
        return names.firstIndex { $0.caseInsensitiveCompare(place) == .orderedSame }
    }
}
