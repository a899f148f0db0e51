import Foundation

/// The pairs of names and values in the lines before a table's header, side by side or one below the other.
struct CSVPreamble {
    private var values: [String: String] = [:]

    init(_ text: TableText, before header: Int, delimiter: UInt8) {
        var above: [String] = []
        for line in 0..<max(0, min(header, text.lines.count, Self.searchedLines)) {
            let fields = Self.fields(text, line, delimiter)
            let names: [String] = fields.map(Self.key)
            let filled = fields.filter { !$0.isEmpty }
            if filled.count == 2, fields.count >= 2, !names[0].isEmpty { note(names[0], fields[1]) }
            for (name, value) in zip(above, fields) where !name.isEmpty && !value.isEmpty { note(name, value) }
            above = fields.count > 2 ? names : []
        }
    }

    private static let searchedLines = 100

    /// Returns the fields of a line. A line without delimiters is split at its colon or equals sign.
    private static func fields(_ text: TableText, _ line: Int, _ delimiter: UInt8) -> [String] {
        let fields = text.fields(line, by: delimiter)
        guard fields.count == 1, let words = fields.first?.drop(while: { $0 == "#" || $0 == " " }),
            let mark = words.firstIndex(where: { $0 == ":" || $0 == "=" })
        else { return fields }
        return [words[..<mark], words[words.index(after: mark)...]].map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private mutating func note(_ name: String, _ value: String) { values[name] = values[name] ?? value }

    private static func key(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

    private func value(_ keys: String...) -> String? { keys.lazy.compactMap { values[$0] }.first }

    /// The date, with the time if one field has both.
    var date: TableDate.Moment? {
        for key in [
            "starttime", "start", "startdate", "date", "datum", "datetime", "startzeit", "timestamp", "recorded",
        ] {
            if let moment = values[key]?.tableMoment() { return moment }
        }
        return nil
    }

    /// The time of day in seconds.
    var time: Double? {
        // A time with two fields is hours and minutes, as after a date.
        let moment = value("starttime", "time", "startzeit", "uhrzeit", "start").flatMap {
            "2001-01-01 \($0)".tableMoment()
        }
        return moment?.seconds
    }

    var activity: String? {
        value("sport", "activity", "activitytype", "sportart", "exercise", "workout", "type").flatMap(
            TableSport.activity)
    }

    var device: String? {
        value("device", "devicename", "monitor", "gerät", "sensor", "model").map { String($0.prefix(100)) }
    }
}
