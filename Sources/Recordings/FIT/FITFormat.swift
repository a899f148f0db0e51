/// Activity files of sports watches and bike computers: FIT, Flexible and Interoperable Data Transfer.
public struct FITFormat: RecordingFormat {
    public let name = "fit"
    public let title = "FIT"
    public let endings = ["fit"]

    public init() {}

    /// FIT protocol, "File Header": the data type field.
    public func recognizes(_ start: FileStart) -> Bool { start.holds(Array(".FIT".utf8), at: 8) }

    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        if let content = try FITFileKind.otherContent(source) {
            throw .otherContent(path: source.path, content)
        }
        return try FITFile.read(source)
    }

    public func writer() -> (any RecordingWriter)? { TrackWriter(FITActivityFile.self) }
}
