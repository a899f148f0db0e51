public import Foundation
public import SessionLog

/// Reads session logs from files.
public enum SessionLogFile {
    /// Reads a log as recordings: for each workout its header, then its entries in order of time.
    ///
    /// If a workout has entries but lacks a header, the state `running` or an end (because the writer was killed, or
    /// lines were filtered out), these are added with a warning: activity `other`, and its first and last date. The
    /// summary only describes the file.
    ///
    /// - Throws: `RecordingError.unreadable`, `notRegular`, `empty`, or `invalid` if no entry could be read or the log
    ///   has a newer version.
    public static func read(_ url: URL) throws(RecordingError) -> [Recording] { try read(RecordingSource(url)) }

    static func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let bytes = try source.open()
        var log = SessionLogReader(bytes)
        var workouts: [LoggedWorkout] = []
        var count = 0
        while let entry = try log.next() {
            if workouts.isEmpty || entry.isHeader { workouts.append(LoggedWorkout(at: count)) }
            workouts[workouts.count - 1].take(entry)
            count += 1
        }
        if count == 0 { throw nothing(bytes, log.warnings, size: log.size) }
        return Recording.numbered(
            workouts.map { workout in
                var workout = workout
                var file = workout.finish()
                file.warnings = log.warnings + workout.gaps.map { RecordingWarning(byte: log.size, message: $0) }
                return Recording(entries: workout.entries(of: source), file: file, facts: workout.facts)
            })
    }

    private static func nothing(_ bytes: RecordingBytes, _ warnings: [RecordingWarning], size: Int) -> RecordingError {
        if size == 0 { return bytes.warning.map { .invalid(bytes.path, $0) } ?? .empty(path: bytes.path) }
        return .invalid(
            path: bytes.path, byte: warnings.first?.byte ?? 0,
            reason: "no entry of a session log is in it" + (warnings.first.map { "; " + $0.message } ?? ""))
    }

    /// Reads the entries of a log in the order of the file, as a session needs them to continue its own log.
    ///
    /// - Throws: The same errors as `read`.
    public static func entries(
        _ url: URL
    ) throws(RecordingError) -> (entries: [SessionEntry], warnings: [RecordingWarning]) {
        let bytes = try RecordingSource(url).open()
        var log = SessionLogReader(bytes)
        var entries: [SessionEntry] = []
        while let entry = try log.next() { entries.append(entry) }
        if entries.isEmpty { throw nothing(bytes, log.warnings, size: log.size) }
        return (entries, log.warnings)
    }
}
