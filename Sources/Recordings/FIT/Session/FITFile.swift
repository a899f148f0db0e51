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
    ///
    /// - Returns: A recording of each activity, in order of time; at least one.
    public static func read(_ url: URL) throws(RecordingError) -> [Recording] { try read(RecordingSource(url)) }

    static func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        var activities = FITActivities()
        let warnings = try decode(source.open(), into: &activities)
        var recordings: [Recording] = []
        for activity in try activities.activities(of: source, isSound: warnings.isEmpty) {
            recordings.append(try FITRecording(activity, source, warnings: warnings).recording())
        }
        return Recording.numbered(recordings)
    }

    /// Reads a file that is in memory.
    /// - Throws: ``FITFileError`` when the bytes do not begin as a FIT file does; all other damage is in the warnings.
    public static func read(bytes: some ContiguousBytes) throws(FITFileError) -> [Recording] {
        let source = RecordingSource(path: "FIT", bytes: bytes.withUnsafeBytes { Array($0) })
        // Bytes in memory can always be read, so there is no other reason.
        do throws(RecordingError) { return try read(source) } catch { throw .notFIT }
    }

    /// How many messages of each kind a file holds, by global message number; and what is wrong with it. In memory that
    /// does not grow with the file.
    public static func survey(_ url: URL) throws(RecordingError) -> FITSurvey {
        var survey = FITSurvey()
        survey.warnings = try decode(RecordingSource(url).open(), into: &survey)
        return survey
    }

    static func decode<Reader: FITMessageReader>(
        _ bytes: RecordingBytes, into reader: inout Reader
    ) throws(RecordingError) -> [RecordingWarning] {
        var decoder = FITDecoder()
        try bytes.forEach { (piece) throws(RecordingError) in
            if decoder.isFIT != false { decoder.read(UnsafeRawBufferPointer(piece), into: &reader) }
        }
        decoder.finish(into: &reader)
        guard decoder.isFIT == true else {
            throw .invalid(path: bytes.path, byte: 8, reason: FITFileError.notFIT.description)
        }
        return decoder.warnings.all
    }

    static func decode<Reader: FITMessageReader>(
        _ bytes: some ContiguousBytes, into reader: inout Reader
    ) throws(FITFileError) -> [RecordingWarning] {
        var decoder = FITDecoder()
        bytes.withUnsafeBytes { decoder.read($0, into: &reader) }
        decoder.finish(into: &reader)
        guard decoder.isFIT == true else { throw .notFIT }
        return decoder.warnings.all
    }
}

/// Why bytes gave no recording.
public enum FITFileError: Error, Equatable, CustomStringConvertible {
    /// They do not begin as a FIT file does.
    case notFIT

    /// What is wrong with the bytes.
    public var description: String { "this is not a FIT file: bytes 8 to 11 should be .FIT" }
}
