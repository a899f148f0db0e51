import Foundation
import SessionLog
import Units

/// Finds the table in a text with commas, semicolons or tabs: the line that names the columns, and their contents.
struct CSVHeader {
    private let text: TableText
    private let options: TableOptions

    /// The first columns of tables that this package writes. Their other columns may have the names of readings in
    /// session logs.
    static let ownNames = ["time", "seconds", "event"]

    private static let delimiters: [UInt8] = [0x09, UInt8(ascii: ";"), UInt8(ascii: ",")]
    /// The header must be among this many lines.
    private static let searchedLines = 100
    private static let examinedRows = 50

    /// A line that may be the header.
    private struct Candidate {
        var line: Int
        var delimiter: UInt8
        var names: [String]
        var columns: [TableNames.Column?]

        var score: Int { Set(columns.compactMap { $0?.meaning }).count }
        func has(_ meaning: TableMeaning) -> Bool { columns.contains { $0?.meaning == meaning } }
        var hasTime: Bool { has(.time) || has(.elapsed) || has(.date) }
        var hasReadings: Bool {
            columns.contains { column in
                if case .quantity(let quantity)? = column?.meaning {
                    quantity != .lap
                } else {
                    column?.meaning == .pace
                }
            } || has(.type) && has(.value)
        }
    }

    init(_ text: TableText, _ options: TableOptions) {
        self.text = text
        self.options = options
    }

    func layout() throws(TableFault) -> TableLayout {
        if let fault = knownFault() { throw fault }
        guard var header = header() ?? headless() else { throw nothing() }
        findHeartRate(&header)
        return try layout(header)
    }

    /// Returns a fault for tables that other programs make of a recording, or write beside one.
    private func knownFault() -> TableFault? {
        guard let first = text.filled(1).first else { return nil }
        let names = text.fields(first, by: UInt8(ascii: ","))
        let reason: String
        if names.first?.hasPrefix("XDATA") == true {
            reason = "it contains GoldenCheetah's extra data about a ride, and no recording; export the ride itself"
        } else if names.starts(with: ["Type", "Local Number", "Message"]) {
            reason = "it lists the messages of a FIT file, as FitCSVTool does; import the FIT file itself"
        } else {
            return nil
        }
        return TableFault(byte: text.place(first).byte, reason: reason)
    }

    /// Whether the text begins like a table: with a known header, or with rows of the same number of fields.
    var isTable: Bool {
        if header() != nil { return true }
        return Self.delimiters.contains { delimiter in
            let counts = text.filled(8).map { text.fields($0, by: delimiter).count }
            return counts.count > 1
                && counts.suffix(max(2, counts.count / 2)).allSatisfy { $0 > 1 && $0 == counts.last }
        }
    }

    /// Finds the one column that seems to hold heart rates, if no name states it.
    private func findHeartRate(_ header: inout Candidate) {
        guard !header.has(.quantity(.heartRate)), !(header.has(.type) && header.has(.value)) else { return }
        let rows = rows(after: header.line, header.delimiter)
        let likely = header.names.indices.filter { column in
            guard header.columns[column] == nil, TableNames.seemsHeartRate(header.names[column]) else { return false }
            let values = rows.compactMap { column < $0.count ? $0[column].tableNumber : nil }.filter { $0 != 0 }
            return !values.isEmpty && values.allSatisfy { (20...260).contains($0) }
        }
        guard likely.count == 1 else { return }
        header.columns[likely[0]] = TableNames.Column(meaning: .quantity(.heartRate))
    }

    // MARK: Which line

    private func header() -> Candidate? {
        var best: Candidate?
        for line in text.filled(Self.searchedLines) {
            for delimiter in Self.delimiters {
                guard let found = candidate(line, delimiter) else { continue }
                if found.score > best?.score ?? 0 { best = found }
            }
        }
        return best
    }

    private func candidate(_ line: Int, _ delimiter: UInt8) -> Candidate? {
        let names = text.fields(line, by: delimiter)
        var columns = names.map { TableNames.meaning(of: $0) }
        // A header holds names, not numbers.
        guard names.count < 1000, names.allSatisfy({ $0.tableNumber == nil }) else { return nil }
        if let interval = TableNames.interval(in: names) {
            columns[interval] = TableNames.Column(meaning: .quantity(.lap))
        }
        var found = Candidate(line: line, delimiter: delimiter, names: names, columns: columns)
        let named = options.columns.compactMap { column in column.index(in: names).map { ($0, column) } }
        if !options.columns.isEmpty {
            guard named.count == options.columns.count else { return nil }
            for index in columns.indices where named.contains(where: { $0.1.meaning == columns[index]?.meaning }) {
                columns[index] = nil
            }
            for (index, column) in named {
                let unit = column.unit ?? TableNames.meaning(of: names[index])?.unitText
                columns[index] = TableNames.Column(
                    meaning: column.meaning, unit: unit.flatMap { TableUnit($0, of: column.meaning) })
            }
            found.columns = columns
            // A column number alone proves nothing, because every line may have that column. So one of the rows must
            // have a digit there.
            guard
                rows(after: line, delimiter).contains(where: { row in
                    named.contains { $0.0 < row.count && row[$0.0].contains(where: \.isNumber) }
                })
            else { return nil }
        }
        if !found.hasReadings, found.hasTime { findHeartRate(&found) }
        let isAlone = names.count == 1 && found.has(.quantity(.rrInterval))
        guard found.hasReadings || names.starts(with: Self.ownNames), names.count > 1 || isAlone,
            found.hasTime || found.has(.quantity(.rrInterval))
        else {
            return nil
        }
        return found
    }

    private func rows(after line: Int, _ delimiter: UInt8) -> [[String]] {
        text.filled(Self.examinedRows, from: line + 1).map { text.fields($0, by: delimiter) }
    }

    /// Returns a table without a header, whose columns the options name by number.
    private func headless() -> Candidate? {
        guard !options.columns.isEmpty, let first = text.filled(1).first else { return nil }
        for delimiter in Self.delimiters {
            let count = text.fields(first, by: delimiter).count
            let names = (1...count).map { "\($0)" }
            let named = options.columns.compactMap { column in column.index(in: names).map { ($0, column) } }
            guard named.count == options.columns.count, count > 1 || named.count == 1 else { continue }
            var found = Candidate(
                line: first - 1, delimiter: delimiter, names: names, columns: Array(repeating: nil, count: count))
            for (index, column) in named {
                found.columns[index] = TableNames.Column(
                    meaning: column.meaning, unit: column.unit.flatMap { TableUnit($0, of: column.meaning) })
            }
            if found.hasReadings, found.hasTime || found.has(.quantity(.rrInterval)) { return found }
        }
        return nil
    }

    private func nothing() -> TableFault {
        let first = text.filled(1).first ?? 0
        let place = text.place(first)
        let delimiter =
            Self.delimiters.max { text.fields(first, by: $0).count < text.fields(first, by: $1).count } ?? 0x2C
        let names = text.fields(first, by: delimiter)
        if options.columns.isEmpty, names.count(where: TableNames.isVariability) > 1 { return listFault(place) }
        if !options.columns.isEmpty {
            let missing = options.columns.map(\.place).joined(separator: ", ")
            return TableFault(
                byte: place.byte,
                reason:
                    "no line of it has all the columns \(missing) with a time and a reading among them; line \(place.line) "
                    + "has \(Self.list(text.fields(first, by: delimiter)))")
        }
        return TableFault(
            byte: place.byte,
            reason:
                "line \(place.line), column 1: none of its lines names a column of times and one of readings; this one "
                + "has \(Self.list(text.fields(first, by: delimiter))); map the columns, such as --columns "
                + "time=1,heart-rate=2")
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(12).map { "'\(TableRows.short($0))'" }.joined(separator: ", ") + (names.count > 12 ? " …" : "")
    }

    // MARK: Content

    private func layout(_ header: Candidate) throws(TableFault) -> TableLayout {
        let place = text.place(max(0, header.line))
        let summaries = header.names.indices.filter {
            TableNames.isSummary(header.names[$0]) && header.columns[$0] == nil
        }
        if summaries.count > 1, options.columns.isEmpty {
            throw TableFault(
                byte: place.byte,
                reason:
                    "line \(place.line), column \(summaries[0] + 1) ('\(TableRows.short(header.names[summaries[0]]))'): it is "
                    + "a list of laps or workouts, not a recording; export the recording itself")
        }
        var layout = TableLayout(
            format: "csv", delimiter: header.delimiter, lineEnd: text.lineEnd, first: text.place(header.line + 1),
            cells: [], names: header.names, clock: .beats)
        let rows = rows(after: header.line, header.delimiter)
        let isOfFigures = options.columns.isEmpty && header.names.count(where: TableNames.isVariability) > 1
        let preamble = CSVPreamble(text, before: header.line, delimiter: header.delimiter)
        let times = CSVTimes(
            columns: header.columns.map { $0?.meaning }, units: header.columns.map(\.?.unit), rows: rows,
            preamble: preamble, options: options)
        let found: CSVTimes.Found
        do throws(CSVTimes.Fault) {
            found = try times.find()
        } catch {
            if isOfFigures { throw listFault(place) }
            let line = text.filled(1, from: header.line + 1).first ?? header.line
            throw TableFault(
                byte: text.place(line).byte,
                reason: "line \(text.place(line).line), column \(error.column + 1) "
                    + "('\(TableRows.short(header.names[error.column]))'): \(error.reason)")
        }
        if options.columns.isEmpty, isList(rows, found, ofFigures: isOfFigures) { throw listFault(place) }
        if options.columns.isEmpty, header.names.indices.contains(where: { isOfSleep(rows, column: $0) }) {
            throw TableFault(
                byte: place.byte, reason: "line \(place.line): it holds the stages of a night's sleep, and no workout")
        }
        layout.clock = found.clock
        layout.start = found.start
        layout.offset = found.offset
        layout.cells = cells(header, rows, found, &layout.warnings)
        for case .quantity(let quantity, _) in layout.cells where quantity == .distance || quantity == .speed {
            let column = header.columns.first { $0?.meaning == .quantity(quantity) } ?? nil
            if column?.unit == nil { layout.assumed.insert(quantity) }
        }
        findOwnColumns(of: header, &layout)
        layout.leftOut = leftOut(header, layout, rows)
        layout.activity = preamble.activity ?? options.activity ?? TableNames.activity(of: header.names)
        layout.device.name = preamble.device
        if let note = found.note { layout.warnings.append(RecordingWarning(byte: place.byte, message: note)) }
        return layout
    }

    /// Finds columns of a table that this package wrote, such as `respiratoryRate (count/min)`.
    private func findOwnColumns(of header: Candidate, _ layout: inout TableLayout) {
        guard header.names.starts(with: Self.ownNames) else { return }
        for (index, name) in header.names.enumerated() where header.columns[index] == nil {
            guard let match = name.wholeMatch(of: #/(developer:.+|[a-z][A-Za-z0-9]*) \(([^()]*)\)/#),
                match.1.hasPrefix(NeutralType.developerPrefix) || (try? UnitParser.parse(String(match.2))) != nil
            else { continue }
            layout.cells[index] = .own(layout.own.count)
            layout.own.append(TableLayout.NativeColumn(type: String(match.1), unit: String(match.2)))
        }
    }

    /// Returns the names of columns that are not read although they hold values.
    private func leftOut(_ header: Candidate, _ layout: TableLayout, _ rows: [[String]]) -> [String] {
        let known = header.names.starts(with: Self.ownNames) ? Self.ownNames.count : 0
        var names = header.names.indices.dropFirst(known).filter { column in
            layout.cells[column] == .skip && !header.names[column].isEmpty
                && rows.contains { column < $0.count && !$0[column].isEmpty }
        }.map { "the column \(TableRows.short(header.names[$0]))" }
        if layout.has(.altitude), !layout.has(.latitude) { names.append("altitudes without positions") }
        return names
    }

    /// Returns whether the rows are a list of workouts, hours apart. Rows of heart-rate variability are a list unless
    /// they follow each other closely.
    private func isList(_ rows: [[String]], _ times: CSVTimes.Found, ofFigures: Bool) -> Bool {
        guard !times.clock.isRelative else { return false }
        let seconds = rows.compactMap { times.seconds($0) }
        // The sets of an exercise have the time of their workout.
        let gaps = zip(seconds, seconds.dropFirst()).map { ($1 - $0).magnitude }.filter { $0 > 0 }.sorted()
        let median = gaps.isEmpty ? nil : gaps[gaps.count / 2]
        if ofFigures { return median ?? .infinity > Self.longestFigureInSeconds }
        return gaps.count > 1 && median ?? 0 > Self.longestRowInSeconds
    }

    /// The longest time between two rows of a recording.
    private static let longestRowInSeconds = 3600.0
    /// The same for rows of heart-rate variability, which is measured over minutes.
    private static let longestFigureInSeconds = 600.0

    private func isOfSleep(_ rows: [[String]], column: Int) -> Bool {
        let stages: Set = ["light", "deep", "rem", "wake", "awake", "asleep", "core"]
        let words = Set(rows.compactMap { column < $0.count ? $0[column].lowercased() : nil }).subtracting([""])
        return words.count > 1 && words.isSubset(of: stages)
    }

    private func listFault(_ place: TableLayout.Place) -> TableFault {
        TableFault(
            byte: place.byte,
            reason:
                "line \(place.line): it is a list of measurements with a row each, such as one a morning, and no recording; "
                + "export the recording of one measurement, or of the workout")
    }

    private func cells(
        _ header: Candidate, _ rows: [[String]], _ times: CSVTimes.Found, _ warnings: inout [RecordingWarning]
    ) -> [TableLayout.Cell] {
        var taken: Set<TableMeaning> = []
        let isLong = header.has(.type) && header.has(.value)
        return header.columns.enumerated().map { index, column in
            if index == times.timeColumn { return .time }
            if index == times.dateColumn { return .date }
            guard let column, taken.insert(column.meaning).inserted else { return .skip }
            if isLong {
                switch column.meaning {
                case .type: return .type
                case .value: return .value
                case .unit: return .unit
                default: return .skip
                }
            }
            var unit = column.unit ?? .one
            if column.unit == nil, let text = column.unitText,
                !TableUnit.isNeedless(of: column.meaning) || text.lowercased().hasSuffix("/kg")
            {
                let place = self.text.place(header.line)
                warnings.append(
                    RecordingWarning(
                        byte: place.byte,
                        message: "line \(place.line), column \(index + 1) ('\(TableRows.short(header.names[index]))'): "
                            + "unknown unit '\(TableRows.short(text))' of \(column.meaning.name); the column is "
                            + "left out"))
                return .skip
            }
            switch column.meaning {
            case .quantity(let quantity):
                if column.unit == nil, quantity == .rrInterval { unit = Self.unitOfIntervals(rows, index) }
                if quantity == .cadence, column.unitText?.lowercased() == "spm" {
                    unit = Self.unitOfCadence(rows, index)
                }
                return .quantity(quantity, unit)
            case .pace: return .pace(column.unit ?? TableUnit(factor: 0.06))
            case .event: return .event
            default: return .skip
            }
        }
    }

    /// Guesses the meaning of "spm": strokes of a rower, or steps of a runner, of which two are one turn.
    private static func unitOfCadence(_ rows: [[String]], _ index: Int) -> TableUnit {
        let values = rows.compactMap { index < $0.count ? $0[index].tableNumber : nil }.filter { $0 > 0 }.sorted()
        return TableUnit(factor: values.isEmpty || values[values.count / 2] <= 100 ? 1 : 0.5)
    }

    /// Guesses the unit of intervals: a few tenths of a second, or a few hundred milliseconds.
    private static func unitOfIntervals(_ rows: [[String]], _ index: Int) -> TableUnit {
        let values = rows.compactMap { index < $0.count ? $0[index].tableNumber : nil }.sorted()
        return RRIntervalUnit.guess(values)
    }
}
