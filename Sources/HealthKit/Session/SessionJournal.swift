package import Recordings
import Synchronization

/// A running session's log on disk, so that it outlives the process.
///
/// Entries go to the file at least once a second as they come, and at once when a callback is about to acknowledge
/// something; what was acknowledged survives `kill -9`, and changes of state survive a loss of power. The file is locked
/// while its session lives, goes when the workout is saved or given up, and otherwise waits in the folder for
/// `recoverActiveWorkoutSession`.
package final class SessionJournal: Sendable {
    package var url: URL { contents.withLock { $0.url } }
    private let contents: Mutex<Contents>

    private struct Contents: ~Copyable {
        var url: URL
        var writer: SessionLogWriter
        var lastFlush = Date.distantPast
        /// Why the journal is not what it should be.
        var fault: (any Error)?
        /// Each entry goes to the file at once.
        var writesThrough = false
        /// The file has no name any more, and goes with the journal.
        var isRemoved = false
    }

    /// Entries beyond these bytes do not wait for the second to be over.
    private static let waitingBytes = 1 << 16

    /// Opens the journal of a workout in `folder`, or the one that is there already.
    package init(id: UUID, in folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let url = folder.appendingPathComponent("\(id.uuidString).jsonl")
        contents = Mutex(Contents(url: url, writer: try SessionLogWriter(url)))
    }

    /// A file in `folder` that nobody finds: it goes with the process.
    package convenience init(withoutNameIn folder: URL) throws {
        try self.init(id: UUID(), in: folder)
        finish()
    }

    /// Takes up a journal that a process left; nil when its session is alive.
    package init?(resuming url: URL) throws {
        do {
            contents = Mutex(Contents(url: url, writer: try SessionLogWriter(url)))
        } catch SessionLogError.locked {
            return nil
        }
    }

    /// Takes an entry, and says at which byte its line begins; nil for one that no log can say.
    package func append(_ entry: SessionEntry) -> Int? {
        contents.withLock { contents in
            let start = contents.writer.byteCount
            do {
                try contents.writer.append(entry)
            } catch {
                contents.fault = error
                return nil
            }
            do {
                let now = Date()
                let isMuch = contents.fault == nil && contents.writer.pendingByteCount >= Self.waitingBytes
                guard contents.writesThrough || isMuch || abs(now.timeIntervalSince(contents.lastFlush)) >= 1
                else { return start }
                contents.lastFlush = now
                try contents.writer.flush()
            } catch {
                contents.fault = error
            }
            return start
        }
    }

    /// How long the log is, with what waits to be written.
    var byteCount: Int { contents.withLock { $0.writer.byteCount } }

    /// Bytes of the log from `offset` on, `count` of them or fewer at its end, whether they are written or wait. Also when the
    /// journal is finished.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try contents.withLock { try $0.writer.bytes(at: offset, count: count) }
    }

    package func commit() throws {
        try contents.withLock { contents in
            // What nobody finds again need not survive anything.
            guard !contents.isRemoved else { return }
            do {
                try contents.writer.flush(durable: true)
                contents.lastFlush = Date()
                contents.fault = nil
            } catch {
                contents.fault = error
                throw error
            }
        }
    }

    /// From here on the file has each entry before the next sink hears of it: what another machine has been told is then
    /// still known when this process is killed. Costs a `write` an entry, and waits for no disk.
    func writeThrough() {
        contents.withLock { contents in
            contents.writesThrough = true
            do { try contents.writer.flush() } catch { contents.fault = error }
        }
    }

    /// Whether the file lacks entries that it was given.
    var isBehind: Bool { contents.withLock { $0.fault != nil && $0.writer.pendingByteCount > 0 } }

    /// The log has done its work: nobody finds the file any more. Whoever has the log can still read it.
    package func finish() {
        let url = contents.withLock { contents in
            contents.isRemoved = true
            return contents.url
        }
        try? FileManager.default.removeItem(at: url)
    }

    /// The workout is saved, but another machine lacks a part of the log: the journal goes on in a folder apart, where no
    /// recovery looks for it, until that machine has everything.
    func setAside() {
        contents.withLock { contents in
            let folder = contents.url.deletingLastPathComponent()
            guard folder.lastPathComponent != Self.undelivered else { return }
            let apart = folder.appendingPathComponent(Self.undelivered).appendingPathComponent(
                contents.url.lastPathComponent)
            do {
                try FileManager.default.createDirectory(
                    at: apart.deletingLastPathComponent(), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                try FileManager.default.moveItem(at: contents.url, to: apart)
                contents.url = apart
            } catch {
                contents.fault = error
            }
        }
    }

    /// The folder, in that of the journals, of those that were set aside.
    static let undelivered = "undelivered"

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
