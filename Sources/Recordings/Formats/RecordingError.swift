import Foundation
public import SessionLog

/// The reason why a file could not be read as a recording.
public enum RecordingError: Error, Sendable, Equatable {
    /// The system refused to open or read the file.
    case unreadable(FileFault)
    /// The path is a folder; name a file in it.
    case directory(path: String)
    /// The path is a pipe, a socket or a device. Recordings are read more than once, which these cannot be.
    case notRegular(path: String)
    /// The file is empty.
    case empty(path: String)
    /// The file holds only `count` workouts.
    case noWorkout(path: String, number: Int, count: Int)
    /// The content is recognised but is not a recording.
    case notReadable(path: String, content: ForeignContent)
    /// The file has the format of recordings but holds something else: a course, settings.
    case otherContent(path: String, UnsupportedContent)
    /// The file cannot be a recording, or not one that is supported: `reason` states why and what to do.
    case refused(path: String, reason: String)
    /// The archive holds more than one recording.
    case severalRecordings(path: String)
    /// No format recognised the content. `formats` are the titles of those that were tried.
    case unknown(path: String, formats: [String])
    /// The file is damaged. `byte` is the place that shows it.
    case invalid(path: String, byte: Int, reason: String)
}

extension RecordingError {
    package init(_ fault: ByteStreamFault) {
        self =
            switch fault {
            case .unreadable(let fault): .unreadable(fault)
            case .directory(let path): .directory(path: path)
            case .notRegular(let path): .notRegular(path: path)
            case .damaged(let path, let byte, let reason):
                .invalid(path: path, byte: byte, reason: reason + "; copy the archive again from its source")
            case .unsupported(let path, let reason): .refused(path: path, reason: reason + "; unpack it")
            case .tooLarge(let path, let reason):
                .refused(path: path, reason: reason + "; unpack it if you trust its source")
            case .cancelled(let path): .refused(path: path, reason: "interrupted")
            }
    }

    static func invalid(_ path: String, _ warning: RecordingWarning) -> RecordingError {
        .invalid(path: path, byte: warning.byte, reason: warning.message)
    }
}

extension RecordingError: CustomStringConvertible, InvalidArgument {
    /// What failed, on which file, and what to do now.
    public var description: String {
        switch self {
        case .unreadable(let fault):
            fault.description
        case .directory(let path):
            "cannot read \(path): it is a folder; choose a file in it"
        case .notRegular(let path):
            "cannot read \(path): it is a pipe, a socket or a device; save its content to a file first"
        case .empty(let path):
            "cannot read \(path): the file is empty; get it again from its source"
        case .noWorkout(let path, let number, let count):
            "no session \(number) in \(path): it holds \(count == 1 ? "one workout" : "\(count) workouts"); "
                + "sessions are counted from 1"
        case .notReadable(let path, let content):
            "cannot read \(path): it is \(content.advice)"
        case .otherContent(let path, let content):
            "cannot read \(path) as a workout: \(content.advice)"
        case .refused(let path, let reason):
            "cannot read \(path): \(reason)"
        case .severalRecordings(let path):
            "cannot read \(path) as one recording: it is an archive with several; import all with 'workout import FILE', "
                + "or unpack it"
        case .unknown(let path, let formats):
            "cannot read \(path): unknown format; supported: \(formats.formatted(.list(type: .or)))"
        case .invalid(let path, let byte, let reason):
            "cannot read \(path): \(reason) (byte \(byte))"
        }
    }
}
