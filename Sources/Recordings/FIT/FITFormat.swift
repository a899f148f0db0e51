/// Activity files of sports watches and bike computers: FIT, Flexible and Interoperable Data Transfer.
public struct FITFormat: RecordingFormat {
    /// `fit`.
    public let name = "fit"
    /// As it stands in a sentence.
    public let title = "FIT"
    /// `fit`.
    public let endings = ["fit"]

    /// Nothing to choose: such a file says all there is.
    public init() {}

    /// FIT protocol, "File Header": the data type field.
    public func recognizes(_ start: FileStart) -> Bool { start.holds(Array(".FIT".utf8), at: 8) }

    /// A recording of each activity, in order of time; what is damaged is in their warnings.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        if let content = try FITFileKind.otherContent(source) {
            throw .otherContent(path: source.path, content)
        }
        return try FITFile.read(source)
    }

    /// Writes activity files; which messages and fields, <doc:WrittenFiles> says.
    public func writer() -> (any RecordingWriter)? { TrackWriter(FITActivityFile.self) }
}
