/// A file format for recordings.
///
/// A format is recognised by the beginning of a file, whatever its name. It reads the workouts of a file as entries of
/// a session log, which are read when they are needed, so that memory does not grow with the file. It may also write
/// them. A new format is one conforming type in a folder of its own, and a place in the list ``RecordingFile/formats``.
public protocol RecordingFormat: Sendable {
    /// The short name, such as `fit`, in `RecordingSummary.format`.
    var name: String { get }
    /// The name of such a file in sentences, such as “FIT”.
    var title: String { get }
    /// The extensions of such files without the dot, the usual one first. They are for files to be written; a file to
    /// be read is recognised by its content.
    var endings: [String] { get }

    /// Returns whether a file that begins like this has this format. Formats are tried in the order of their list, and
    /// the first that returns true reads the file.
    func recognizes(_ start: FileStart) -> Bool

    /// Reads all the workouts of a file, in order of time. A file without workouts gives one recording without entries.
    ///
    /// Everything readable is read; the recordings' warnings describe damage.
    func read(_ source: RecordingSource) throws(RecordingError) -> [Recording]

    /// Returns a writer of one workout in this format, or nil if the format is only read.
    func writer() -> (any RecordingWriter)?
}

extension RecordingFormat {
    /// Returns nil, for formats that are only read.
    public func writer() -> (any RecordingWriter)? { nil }
}
