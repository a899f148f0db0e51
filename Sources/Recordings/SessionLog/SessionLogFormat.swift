import SessionLog

/// The session log: one JSON object per line.
public struct SessionLogFormat: RecordingFormat {
    /// `jsonl`.
    public let name = "jsonl"
    /// The name in sentences.
    public let title = "JSON Lines"
    /// `jsonl`.
    public let endings = ["jsonl"]

    /// Creates the format. There are no options, because a log states everything.
    public init() {}

    /// Returns whether the file begins with a JSON object. If that has names, `at` is one of them, or of the next lines'.
    /// Other formats that begin like this are tried first.
    public func recognizes(_ start: FileStart) -> Bool {
        guard start.text.first == UInt8(ascii: "{") else { return false }
        let text = start.withoutSpace
        return !text.hasPrefix(#"{""#) || text.contains(#""at":"#)
    }

    /// Reads the workouts of the log, one for each header. Their warnings list damaged lines.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try SessionLogFile.read(source)
    }

    /// Returns a writer of entries, one per line.
    public func writer() -> (any RecordingWriter)? { Writer() }

    /// Leaves nothing out, because a recording is a log.
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
