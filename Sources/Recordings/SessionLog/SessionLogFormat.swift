/// The session log: one JSON object a line.
public struct SessionLogFormat: RecordingFormat {
    public let name = "jsonl"
    public let title = "JSON Lines"
    public let endings = ["jsonl"]

    public init() {}

    public func recognizes(_ start: FileStart) -> Bool { start.text.first == UInt8(ascii: "{") }

    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try SessionLogFile.read(source)
    }

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
