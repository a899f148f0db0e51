/// Tables of text with a row per instant or per value, as apps, loggers and spreadsheets write them.
///
/// Commas, semicolons or tabs separate columns. Columns are recognised by their names in common spellings, in any
/// order. Lines before the header may state the date and the device.
public struct CSVFormat: TableFormat {
    let options: TableOptions
    private let delimiter: Delimiter

    /// The separator for writing a table. Reading detects it.
    public enum Delimiter: Sendable {
        /// The separator also decides the name: CSV or TSV.
        case comma, tab
    }

    /// - Parameter delimiter: The separator for writing a table. Reading detects it.
    public init(_ options: TableOptions = TableOptions(), delimiter: Delimiter = .comma) {
        self.options = options
        self.delimiter = delimiter
    }

    /// `csv` or `tsv`, by the delimiter.
    public var name: String { delimiter == .comma ? "csv" : "tsv" }
    /// The name in sentences.
    public var title: String { delimiter == .comma ? "CSV" : "TSV" }
    /// `csv`, or `tsv` and `tab`.
    public var endings: [String] { delimiter == .comma ? ["csv"] : ["tsv", "tab"] }

    /// Returns whether there is a header with columns of a recording, or the options name columns.
    public func recognizes(_ start: FileStart) -> Bool {
        guard let text = start.tableText else { return false }
        return !options.columns.isEmpty && !text.lines.isEmpty || CSVHeader(text, options).isTable
    }

    /// Reads one recording from the rows that are valid. Its warnings list the others.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] { try readTable(source) }

    func layout(_ text: TableText) throws(TableFault) -> TableLayout? { try CSVHeader(text, options).layout() }

    /// Returns a writer with a row per moment; <doc:WrittenFiles> lists the columns.
    public func writer() -> (any RecordingWriter)? {
        switch delimiter {
        case .comma: TrackWriter(CSVTrackFile<Commas>.self)
        case .tab: TrackWriter(CSVTrackFile<Tabs>.self)
        }
    }
}
