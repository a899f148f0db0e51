import Foundation
import SessionLog

/// Lists of the times between heartbeats without a header: one per line (Elite HRV, Kubios and most others), or after
/// its time (Kubios, and Empatica's `IBI.csv`). With a header they are tables: ``CSVFormat``.
public struct RRIntervalFormat: TableFormat {
    let options: TableOptions

    /// - Parameter options: Settings for what the file does not state: the start of the recording and its activity.
    public init(_ options: TableOptions = TableOptions()) { self.options = options }

    /// `rr`.
    public var name: String { "rr" }
    /// The name in sentences.
    public var title: String { "RR intervals" }
    /// `txt` first; `csv` for a table that holds only intervals.
    public var endings: [String] { ["txt", "rr", "csv"] }

    private static let examinedLines = 20

    /// Returns whether the first lines are intervals in milliseconds or seconds, or times and intervals. With a header
    /// the file is a table.
    public func recognizes(_ start: FileStart) -> Bool {
        // If the user names columns, the file is a table.
        guard options.columns.isEmpty, let text = start.tableText else { return false }
        return (try? layout(text)) != nil
    }

    /// Reads one recording of the beats. Its warnings list the lines that are not intervals.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] { try readTable(source) }

    func layout(_ text: TableText) throws(TableFault) -> TableLayout? { list(text) ?? empatica(text) ?? pairs(text) }

    // MARK: One a line

    /// The first two lines must be intervals; others may be damaged.
    private func list(_ text: TableText) -> TableLayout? {
        let (first, comments) = body(text)
        let lines = text.filled(Self.examinedLines, from: first)
        let numbers = lines.map { text.text($0).tableNumber }
        let known = numbers.compactMap { $0 }.sorted()
        guard let opening = lines.first, !known.isEmpty, numbers.prefix(2).allSatisfy({ $0 != nil }),
            case let unit = RRIntervalUnit.guess(known), Self.areIntervals(known, unit)
        else { return nil }
        var layout = layout(text, delimiter: 0, at: opening, cells: [.quantity(.rrInterval, unit)], clock: .beats)
        layout.names = [""]
        layout.start = start(comments)
        return layout
    }

    /// Returns whether most of the values are as large as intervals; artefacts are not. Only their size shows what they
    /// are, and whole numbers cannot be seconds.
    private static func areIntervals(_ values: [Double], _ unit: TableUnit) -> Bool {
        let isSeconds = unit.factor == 1000
        if isSeconds, values.allSatisfy({ $0 == $0.rounded() }) { return false }
        let plausible = isSeconds ? 0.25...2.5 : 200...5000
        return values.count { plausible.contains($0) } * 2 > values.count
    }

    /// Returns the line of the first value, after comments and a line with the name of the column.
    private func body(_ text: TableText) -> (first: Int, comments: [String]) {
        var comments: [String] = []
        for line in text.filled(50) {
            let words = text.text(line)
            if words.first == "#" || words.first == "%" {
                comments.append(words.drop { $0 == "#" || $0 == "%" }.trimmingCharacters(in: .whitespaces))
            } else {
                let isName =
                    TableNames.meaning(of: words)?.meaning == .quantity(.rrInterval) && words.tableNumber == nil
                return (isName ? line + 1 : line, comments)
            }
        }
        return (text.lines.count, comments)
    }

    private func start(_ comments: [String]) -> Double? {
        for comment in comments {
            let value = comment.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
            for words in [comment, value] {
                guard let moment = words.tableMoment(), moment.hasTime else { continue }
                return moment.seconds - (moment.hasZone ? 0 : offset(moment.seconds))
            }
        }
        return options.start?.timeIntervalSinceReferenceDate
    }

    private func offset(_ seconds: Double) -> Double {
        Double(options.zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
    }

    // MARK: With a time each

    /// Empatica's format: the start in seconds since 1970 and `IBI`, then rows with the seconds since the start and the
    /// interval in seconds.
    private func empatica(_ text: TableText) -> TableLayout? {
        guard let header = text.filled(1).first, case let fields = text.fields(header, by: UInt8(ascii: ",")),
            fields.count == 2, fields[1].uppercased() == "IBI", let start = fields[0].tableNumber,
            (1e8...1e11).contains(start)
        else { return nil }
        let second = TableUnit(factor: 1000)
        var layout = layout(
            text, delimiter: UInt8(ascii: ","), at: header + 1, cells: [.time, .quantity(.rrInterval, second)],
            clock: .elapsed(.one))
        layout.start = start - Date.timeIntervalBetween1970AndReferenceDate
        layout.device.manufacturer = "Empatica"
        layout.device.name = "Empatica"
        return layout
    }

    /// Seconds since the start, and the interval that ends there.
    private func pairs(_ text: TableText) -> TableLayout? {
        let (first, comments) = body(text)
        let lines = text.filled(Self.examinedLines, from: first)
        guard let opening = lines.first, lines.count > 2 else { return nil }
        for delimiter in [0x09, UInt8(ascii: ";"), UInt8(ascii: ","), 0x20] {
            let rows = lines.map { text.fields($0, by: delimiter).filter { !$0.isEmpty }.map(\.tableNumber) }
            guard rows.allSatisfy({ $0.count == 2 && $0[0] != nil && $0[1] != nil }) else { continue }
            let times = rows.compactMap { $0[0] }
            let values = rows.compactMap { $0[1] }
            let unit = RRIntervalUnit.guess(values.sorted())
            guard Self.areIntervals(values.sorted(), unit) else { continue }
            // Each time is the one before it plus the interval. That distinguishes them from any other two columns of
            // numbers.
            for clock in [TableUnit.one, TableUnit(factor: 1e-3)] {
                let fitting = (1..<times.count).count { index in
                    let step = (times[index] - times[index - 1]) * clock.factor
                    return (step - values[index] * unit.factor / 1000).magnitude < 0.002
                        || (step - values[index - 1] * unit.factor / 1000).magnitude < 0.002
                }
                guard fitting * 2 >= times.count - 1, times[0] * clock.factor < 1e8 else { continue }
                let isDense = text.fields(opening, by: delimiter).count == 2
                guard isDense else { continue }
                var layout = layout(
                    text, delimiter: delimiter, at: opening, cells: [.time, .quantity(.rrInterval, unit)],
                    clock: .elapsed(clock))
                layout.start = start(comments)
                return layout
            }
        }
        return nil
    }

    private func layout(
        _ text: TableText, delimiter: UInt8, at line: Int, cells: [TableLayout.Cell], clock: TableLayout.Clock
    ) -> TableLayout {
        TableLayout(
            format: name, delimiter: delimiter, lineEnd: text.lineEnd, first: text.place(line), cells: cells,
            names: cells.map { $0 == .time ? "time" : "interval" }, clock: clock, activity: options.activity)
    }
}
