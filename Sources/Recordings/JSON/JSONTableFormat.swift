import Foundation
import SessionLog

/// JSON that is a table: a list of flat objects, or one object per line, each with a time and readings.
///
/// Scripts and apps write such files. Names of fields have the meanings of column names in CSV, with the same units.
public struct JSONTableFormat: TableFormat {
    let options: TableOptions

    /// - Parameter options: Settings for what the file does not state.
    public init(_ options: TableOptions = TableOptions()) { self.options = options }

    /// `json`.
    public var name: String { "json" }
    /// The name in sentences.
    public var title: String { "JSON table" }
    /// `json`, or `ndjson` for an object per line.
    public var endings: [String] { ["json", "ndjson"] }

    /// A day of readings every second has about 10 MB.
    private static let megabytes = 256

    /// Returns whether the first object is flat and has a time and a reading.
    public func recognizes(_ start: FileStart) -> Bool {
        let text = start.text
        guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "["),
            let open = text.firstIndex(of: UInt8(ascii: "{")), let close = text.firstIndex(of: UInt8(ascii: "}")),
            text[..<open].allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: "[") }), open < close,
            let first = try? JSONSerialization.jsonObject(with: Data(text[open...close])) as? [String: Any]
        else { return false }
        let columns = Self.names(in: [first]).map(TableNames.meaning)
        let hasTime = columns.contains { [.time, .elapsed, .date].contains($0?.meaning) }
        let hasReading = columns.contains { if case .quantity? = $0?.meaning { true } else { false } }
        return hasTime && hasReading || !options.columns.isEmpty
    }

    /// Reads one recording from the objects that are valid.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let objects: [[String: Any]]
        if try source.start().text.first == UInt8(ascii: "[") {
            let list = try JSONFile.value(source, atMost: Self.megabytes, title: title) as? [Any] ?? []
            objects = list.compactMap { $0 as? [String: Any] }
        } else {
            let lines = try source.all(atMost: Self.megabytes, which: "no \(title) file").split(separator: 0x0A)
            objects = lines.compactMap { line in
                try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            }
        }
        return try readTable(source.replacing(Self.table(objects)))
    }

    func layout(_ text: TableText) throws(TableFault) -> TableLayout? {
        var layout = try CSVHeader(text, options).layout()
        layout.format = name
        return layout
    }

    /// Returns the names of fields that hold text or numbers. A start is a time if nothing else is.
    private static func names(in objects: [[String: Any]]) -> [String] {
        var names: Set<String> = []
        for object in objects { names.formUnion(object.filter { $1 is String || $1 is NSNumber }.keys) }
        if !names.contains(where: { TableNames.meaning(of: $0)?.meaning == .time }), names.remove("start_time") != nil {
            names.insert("time")
        }
        return names.sorted()
    }

    /// Returns the objects as a table of CSV (RFC 4180).
    private static func table(_ objects: [[String: Any]]) -> [UInt8] {
        let names = names(in: objects)
        func row(_ fields: [String]) -> String {
            fields.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\n"
        }
        var table = Array(row(names).utf8)
        for object in objects {
            let fields = names.map { name -> String in
                switch object[name] ?? (name == "time" ? object["start_time"] : nil) {
                case let text as String: text
                case let number as NSNumber: "\(number)"
                default: ""
                }
            }
            table += Array(row(fields).utf8)
        }
        return table
    }
}
