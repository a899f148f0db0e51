package import Recordings
import Synchronization

/// A running session's log on disk, so that it outlives the process.
///
/// Entries go to the file at least once a second as they come, and at once when a callback is about to acknowledge
/// something; what was acknowledged survives `kill -9`, and changes of state survive a loss of power. The file is locked
/// while its session lives, goes when the workout is saved or given up, and otherwise waits in the folder for
/// `recoverActiveWorkoutSession`.
package final class SessionJournal: SessionLogSink {
    package let url: URL
    private let contents: Mutex<Contents>

    private struct Contents: ~Copyable {
        var writer: SessionLogWriter?
        var lastFlush = Date.distantPast
        /// Why the journal is not what it should be.
        var fault: (any Error)?
    }

    /// Opens the journal of a workout in `folder`, or the one that is there already.
    package init(id: UUID, in folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        url = folder.appendingPathComponent("\(id.uuidString).jsonl")
        contents = Mutex(Contents(writer: try SessionLogWriter(url)))
    }

    /// Takes up a journal that a process left; nil when its session is alive.
    package init?(resuming url: URL) throws {
        self.url = url
        do {
            contents = Mutex(Contents(writer: try SessionLogWriter(url)))
        } catch SessionLogError.locked {
            return nil
        }
    }

    package func append(_ entry: SessionEntry) {
        contents.withLock { contents in
            do {
                try contents.writer?.append(entry)
                let now = Date()
                guard abs(now.timeIntervalSince(contents.lastFlush)) >= 1 else { return }
                contents.lastFlush = now
                try contents.writer?.flush()
            } catch {
                contents.fault = error
            }
        }
    }

    package func commit() throws {
        try contents.withLock { contents in
            do {
                try contents.writer?.flush(durable: true)
                contents.lastFlush = Date()
                contents.fault = nil
            } catch {
                contents.fault = error
                throw error
            }
        }
    }

    package func finish() {
        contents.withLock { $0.writer = nil }
        try? FileManager.default.removeItem(at: url)
    }

    // MARK: What was left

    /// The journals in a folder, newest first.
    package static func left(in folder: URL) -> [URL] {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
        func modified(_ url: URL) -> Date {
            (try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) ?? .distantPast
        }
        return files.filter { $0.pathExtension == "jsonl" }.sorted { modified($0) > modified($1) }
    }
}
