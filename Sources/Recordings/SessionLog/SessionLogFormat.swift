import SessionLog

/// The session log: one JSON object a line.
public struct SessionLogFormat: RecordingFormat {
    /// `jsonl`.
    public let name = "jsonl"
    /// As it stands in a sentence.
    public let title = "JSON Lines"
    /// `jsonl`.
    public let endings = ["jsonl"]

    /// Nothing to choose: a log says all there is.
    public init() {}

    /// Whether it begins with an object of JSON. Other formats that do are asked before.
    public func recognizes(_ start: FileStart) -> Bool { start.text.first == UInt8(ascii: "{") }

    /// The workouts of the log, one for each header; damaged lines are in the warnings.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try SessionLogFile.read(source)
    }

    /// Writes the entries as they are, a line each.
    public func writer() -> (any RecordingWriter)? { Writer() }

    /// Leaves nothing out: a recording is a log.
    private struct Writer: RecordingWriter {
        private var encoder = SessionLogEncoder()

        mutating func write(_ entry: SessionEntry, to output: inout [UInt8]) throws {
            try encoder.append(entry)
            output += encoder.bytes
            encoder.removeAll()
        }

        func finish(to output: inout [UInt8]) {}

        var leftOut: [String] { [] }
    }
}
