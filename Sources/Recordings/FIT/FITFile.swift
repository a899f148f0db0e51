public import Foundation

/// Activity files of sports watches and bike computers: FIT, Flexible and Interoperable Data Transfer.
public enum FITFile {
    /// How many bytes at the start of a file `isFIT` looks at.
    public static let prefixLength = FITHeader.minimumSize

    /// Whether a file that begins with these bytes (`prefixLength` of them) says that it is FIT.
    public static func isFIT(prefix: some Collection<UInt8>) -> Bool {
        Array(prefix.prefix(prefixLength)).withUnsafeBytes { bytes in
            ByteView(bytes).map { FITHeader.isPresent(in: $0, at: 0) } ?? false
        }
    }

    /// Reads a file, whatever its state: what could not be read is in `file.warnings`. A FIT file without an activity
    /// gives a recording without entries.
    public static func read(_ url: URL) throws(FITFileError) -> Recording {
        var activity = FITActivity()
        let warnings = try decode(url, into: &activity)
        return FITRecording(activity, warnings: warnings).recording()
    }

    public static func read(bytes: some ContiguousBytes) throws(FITFileError) -> Recording {
        var activity = FITActivity()
        let warnings = try decode(bytes, into: &activity)
        return FITRecording(activity, warnings: warnings).recording()
    }

    /// How many messages of each kind a file holds, by global message number; and what is wrong with it. In memory that
    /// does not grow with the file.
    public static func survey(_ url: URL) throws(FITFileError) -> FITSurvey {
        var survey = FITSurvey()
        survey.warnings = try decode(url, into: &survey)
        return survey
    }

    private static let chunkSize = 1 << 18

    static func decode<Reader: FITMessageReader>(
        _ url: URL, into reader: inout Reader
    ) throws(FITFileError) -> [RecordingWarning] {
        guard let stream = InputStream(url: url) else { throw .unreadable(url.path, nil) }
        stream.open()
        defer { stream.close() }
        var decoder = FITDecoder()
        let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: chunkSize)
        defer { chunk.deallocate() }
        while let start = chunk.baseAddress {
            let count = stream.read(start, maxLength: chunkSize)
            guard count >= 0 else { throw .unreadable(url.path, stream.streamError?.localizedDescription) }
            if count == 0 { break }
            decoder.read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk)[..<count]), into: &reader)
            if decoder.isFIT == false { throw .notFIT(url.path) }
        }
        decoder.finish(into: &reader)
        guard decoder.isFIT == true else { throw .notFIT(url.path) }
        return decoder.warnings.all
    }

    static func decode<Reader: FITMessageReader>(
        _ bytes: some ContiguousBytes, into reader: inout Reader
    ) throws(FITFileError) -> [RecordingWarning] {
        var decoder = FITDecoder()
        bytes.withUnsafeBytes { decoder.read($0, into: &reader) }
        decoder.finish(into: &reader)
        guard decoder.isFIT == true else { throw .notFIT(nil) }
        return decoder.warnings.all
    }
}

/// Why a file gave no recording.
public enum FITFileError: Error, Equatable, CustomStringConvertible {
    /// The bytes do not begin as a FIT file does. With the file's path, where there is one.
    case notFIT(String?)
    /// The file could not be opened or read: its path, and what the system says.
    case unreadable(String, String?)

    public var description: String {
        switch self {
        case .notFIT(let path):
            "\(path ?? "this") is not a FIT file: bytes 8 to 11 should be .FIT"
        case .unreadable(let path, let reason):
            "\(path) could not be read: \(reason ?? "it cannot be opened")"
        }
    }
}
