/// Activity files of sports watches and bike computers: FIT, Flexible and Interoperable Data Transfer.
public struct FITFormat: RecordingFormat {
    /// `fit`.
    public let name = "fit"
    /// The name in sentences.
    public let title = "FIT"
    /// `fit`.
    public let endings = ["fit"]

    /// Creates the format. There are no options, because a FIT file states everything.
    public init() {}

    /// FIT protocol, "File Header": the data type field.
    public func recognizes(_ start: FileStart) -> Bool { start.holds(Array(".FIT".utf8), at: 8) }

    /// Reads a recording of each activity, in order of time. Their warnings list what is damaged.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        if let content = try FITFileKind.otherContent(source) {
            throw .otherContent(path: source.path, content)
        }
        return try FITFile.read(source)
    }

    /// Returns a writer of activity files; <doc:WrittenFiles> lists their messages and fields.
    public func writer() -> (any RecordingWriter)? { TrackWriter(FITActivityFile.self) }
}
