public import Foundation
public import SessionLog

/// Session logs as files to be read.
public enum SessionLogFile {
    /// Reads a log as recordings: of each workout its header, then its entries in order of time.
    ///
    /// A workout that has entries but no header, no `running` state or no end (the writer was killed, lines were
    /// filtered out) gets what it lacks, with a warning: activity `other`, its first and its last date. The summary says
    /// only what the file says.
    ///
    /// - Throws: `RecordingError.unreadable`, `notRegular`, `empty`, or `invalid` when no entry could be read or the log
    ///   is of a newer version.
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

    /// Reads a log's entries in the order of the file, as a session that takes up its own log needs them.
    ///
    /// - Throws: As `read`.
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
