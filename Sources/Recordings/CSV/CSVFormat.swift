/// Tables of text, with a row for each instant or each value: what apps, loggers and spreadsheets write.
///
/// Columns are parted by commas, semicolons or tabs, and known by their names in the usual spellings, in any order; lines ahead
/// of the header may say when and with what it was recorded.
public struct CSVFormat: TableFormat {
    let options: TableOptions
    private let delimiter: Delimiter

    /// What parts the columns of a table that is written. One that is read says so itself.
    public enum Delimiter: Sendable {
        /// The table is called CSV or TSV by it.
        case comma, tab
    }

    /// - Parameter delimiter: Of a table that is written; one that is read says so itself.
    public init(_ options: TableOptions = TableOptions(), delimiter: Delimiter = .comma) {
        self.options = options
        self.delimiter = delimiter
    }

    /// `csv` or `tsv`, by the delimiter.
    public var name: String { delimiter == .comma ? "csv" : "tsv" }
    /// As it stands in a sentence.
    public var title: String { delimiter == .comma ? "CSV" : "TSV" }
    /// `csv`, or `tsv` and `tab`.
    public var endings: [String] { delimiter == .comma ? ["csv"] : ["tsv", "tab"] }

    /// Whether there is a header that names columns of a recording, or somebody has named them in the options.
    public func recognizes(_ start: FileStart) -> Bool {
        guard let text = start.tableText else { return false }
        return !options.columns.isEmpty && !text.lines.isEmpty || CSVHeader(text, options).isTable
    }

    /// One recording of the rows that could be read; the others are in its warnings.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] { try readTable(source) }

    func layout(_ text: TableText) throws(TableFault) -> TableLayout? { try CSVHeader(text, options).layout() }

    /// Writes a row for each moment; which columns, <doc:WrittenFiles> says.
    public func writer() -> (any RecordingWriter)? {
        switch delimiter {
        case .comma: TrackWriter(CSVTrackFile<Commas>.self)
        case .tab: TrackWriter(CSVTrackFile<Tabs>.self)
        }
    }
}
