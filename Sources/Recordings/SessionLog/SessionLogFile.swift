public import Foundation

/// Session logs as files to be read.
public enum SessionLogFile {
    /// Reads a log as a recording: each workout's header, then its entries in order of time.
    ///
    /// A workout that has entries but no header, no `running` state or no end (the writer was killed, lines were
    /// filtered out) gets what it lacks, with a warning: activity `other`, its first and its last date. The summary says
    /// only what the file says.
    ///
    /// - Throws: `RecordingError.unreadable`, `notRegular`, `empty`, or `invalid` when no entry could be read or the log
    ///   is of a newer version.
    public static func read(_ url: URL) throws(RecordingError) -> Recording {
        let (entries, warnings, size) = try contents(url)
        return recording(entries, warnings: warnings, size: size)
    }

    /// Reads a log's entries in the order of the file, as a session that takes up its own log needs them.
    ///
    /// - Throws: As `read`.
    public static func entries(
        _ url: URL
    ) throws(RecordingError) -> (entries: [SessionEntry], warnings: [RecordingWarning]) {
        let (entries, warnings, _) = try contents(url)
        return (entries, warnings)
    }

    private static func contents(
        _ url: URL
    ) throws(RecordingError) -> (entries: [SessionEntry], warnings: [RecordingWarning], size: Int) {
        let file = try RecordingFile.open(url)
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        var size = 0
        var room = [UInt8](repeating: 0, count: 1 << 18)
        do throws(SessionLogError) {
            while true {
                let count = try fill(&room, from: file, at: size)
                if count == 0 { break }
                size += count
                try decoder.decode(room.span.bytes.extracting(first: count), into: &entries)
            }
            try decoder.finish(into: &entries)
        } catch {
            switch error {
            case .file(let fault): throw .unreadable(fault)
            case .newerVersion(_, _, let byte):
                throw .invalid(path: url.path, byte: byte, reason: error.description)
            default: throw .invalid(path: url.path, byte: 0, reason: error.description)
            }
        }
        if entries.isEmpty {
            if size == 0 { throw .empty(path: url.path) }
            let warning = decoder.warnings.first
            throw .invalid(
                path: url.path, byte: warning?.byte ?? 0,
                reason: "no entry of a session log is in it" + (warning.map { "; " + $0.message } ?? ""))
        }
        return (entries, decoder.warnings, size)
    }

    private static func fill(
        _ room: inout [UInt8], from file: borrowing OpenFile, at offset: Int
    ) throws(SessionLogError) -> Int {
        do throws(FileFault) {
            return try room.withUnsafeMutableBufferPointer { (buffer) throws(FileFault) in
                try file.read(into: buffer, at: offset)
            }
        } catch { throw .file(error) }
    }

    /// The recording that a log's entries make. `size` is the log's length: what is missing
    /// from it is told as missing at its end.
    static func recording(_ entries: [SessionEntry], warnings: [RecordingWarning], size: Int) -> Recording {
        var summary = SessionLogSummary()
        for entry in entries { summary.add(entry) }
        var file = summary.finish()
        file.warnings = warnings
        let starts = [0] + entries.indices.dropFirst().filter { entries[$0].isHeader }
        let workouts = zip(starts, starts.dropFirst() + [entries.count]).map { entries[$0..<$1] }
        if workouts.allSatisfy(LoggedWorkout.isComplete) { return Recording(entries: entries, file: file) }
        var all: [SessionEntry] = []
        for logged in workouts {
            let workout = LoggedWorkout(logged)
            all.append(contentsOf: workout.entries)
            file.warnings += workout.gaps.map { RecordingWarning(byte: size, message: $0) }
        }
        return Recording(entries: all, file: file)
    }
}
