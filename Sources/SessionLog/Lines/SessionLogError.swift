/// The reason why an entry cannot be written, or a log cannot be read or appended to.
///
/// Damage within a log is not an error: everything readable is read, and `RecordingWarning`s describe the rest.
public enum SessionLogError: Error, Sendable, Equatable {
    /// A number under this key is infinite or not a number. JSON cannot express it; the entry is not written.
    case notFinite(key: String)
    /// A date under this key lies outside the years 0000 … 9999, or is an end before its start. No reader accepts such
    /// a line; the entry is not written.
    case impossibleDate(key: String)
    /// The line would be too long for any reader. The entry is not written.
    case lineTooLong(bytes: Int)
    /// A header of a version that this build does not write.
    case unwritableVersion(Int)
    /// The log, from this line on, has a version that this build does not know.
    case newerVersion(Int, line: Int, byte: Int)
    /// Another writer has the log open.
    case locked(path: String)
    /// The file is not a session log. It stays unchanged.
    case notALog(path: String, reason: String)
    /// The log is empty.
    case empty(path: String)
    /// No line of the log can be read.
    case withoutEntries(path: String, reason: String)
    /// The system refused. Entries that were flushed before are safe.
    case file(FileFault)
}

extension SessionLogError: CustomStringConvertible {
    /// What failed, on which file, and what to do now.
    public var description: String {
        switch self {
        case .notFinite(let key):
            "an entry was not logged: its “\(key)” is not a finite number; leave such readings out"
        case .impossibleDate(let key):
            "an entry was not logged: its “\(key)” lies outside the years 0000 … 9999, or is an end before its start; leave "
                + "such entries out"
        case .lineTooLong(let bytes):
            "an entry was not logged: it takes \(bytes) bytes, a line at most \(SessionLogDecoder.maximumLineLength); "
                + "split it up"
        case .unwritableVersion(let version):
            "a header of log version \(version) was not logged: this build writes version "
                + "\(SessionHeader.currentVersion)"
        case .newerVersion(let version, let line, let byte):
            "the session log is of version \(version) from line \(line) (byte \(byte)) on, this build reads up to "
                + "\(SessionHeader.currentVersion): use the newer build that wrote it"
        case .locked(let path):
            "cannot append to \(path): another program is writing to it; stop that program, or choose another file"
        case .notALog(let path, let reason):
            "cannot append to \(path): \(reason); choose another file; this one was not changed"
        case .empty(let path):
            "cannot read \(path): the file is empty; get it again from its source"
        case .withoutEntries(let path, let reason):
            "cannot read \(path): \(reason)"
        case .file(let fault):
            fault.description
        }
    }
}
