/// A kind of file that recordings are kept in.
///
/// A format is found by what a file begins with, whatever its name. It reads a file's workouts as entries of a session log,
/// which are read as they are asked for, so that memory does not grow with the file; and it may write them. A new format is
/// one type that conforms, in a folder of its own, and a place in the list ``RecordingFile/formats``.
public protocol RecordingFormat: Sendable {
    /// The short name, such as `fit`: what `RecordingSummary.format` says.
    var name: String { get }
    /// What a file of the format is called within a sentence, such as “FIT”.
    var title: String { get }
    /// How such a file's name ends, without the dot, the usual one first. For names of files that are written: one that is read
    /// goes by its content.
    var endings: [String] { get }

    /// Whether a file that begins so is of this format. Formats are asked in the order of their list, and the first that says
    /// so reads the file.
    func recognizes(_ start: FileStart) -> Bool

    /// Reads all the workouts of a file, in order of time. A file without any gives one recording without entries.
    ///
    /// What is damaged is told by warnings of the recordings; what can be read is.
    func read(_ source: RecordingSource) throws(RecordingError) -> [Recording]

    /// What writes one workout in this format; nil where it is only read.
    func writer() -> (any RecordingWriter)?
}

extension RecordingFormat {
    /// Nil: for formats that are only read.
    public func writer() -> (any RecordingWriter)? { nil }
}
