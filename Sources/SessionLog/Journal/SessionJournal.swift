package import Foundation
import Synchronization

/// A running session's log on disk, which outlives the process.
///
/// Entries are on the disk within a second, and at once if a callback is about to acknowledge something: acknowledged
/// data survives `kill -9` and a loss of power. The file is locked while its session lives. It is removed when the
/// whole workout is on the disk or was discarded, and otherwise waits in the folder for `recoverActiveWorkoutSession`.
/// A process with the journal open can read it, even after its file was removed.
///
/// If the file cannot be written, for instance because the disk is full, entries wait in memory, and writing is tried
/// again every second.
package final class SessionJournal: Sendable {
    package var url: URL { contents.withLock { $0.url } }
    private let contents: Mutex<Contents>
    /// The queue that waits for the disk, so that the session is not delayed.
    private let queue = DispatchQueue(label: "HealthKit.journal")

    private struct Contents: ~Copyable, Sendable {
        var url: URL
        var writer: SessionLogWriter
        /// The file of the writer, which is synced in parallel. Nil once its name is removed.
        var file: SynchronizedFile?
        /// Whether there are entries that may not be on the disk yet.
        var isUnsettled = false
        /// Whether a check within a second is scheduled.
        var isDue = false
        /// Whether each entry is written to the file at once.
        var writesThrough = false
        /// The reason why the file lacks entries, or the disk lacks the file.
        var fault: (any Error)?
        var watcher: (@Sendable ((any Error)?) -> Void)?

        /// Whether the file's name is removed. It then disappears with the journal and need not survive.
        var isRemoved: Bool { file == nil }
    }

    private static let interval = DispatchTimeInterval.seconds(1)
    /// The number of bytes above which entries are written before the end of the second, as in a replay at full speed.
    private static let longestWaitInBytes = 1 << 18

    /// Opens the journal of a workout in `folder`, or an existing one.
    package init(id: UUID, in folder: URL) throws {
        try DurableFile.makeFolder(folder)
        try TrustedFolder.check(folder.path)
        contents = Mutex(try Self.open(folder.appendingPathComponent("\(id.uuidString).jsonl")))
    }

    /// Creates a file without a name in `folder`, which disappears with the process.
    package convenience init(withoutNameIn folder: URL) throws {
        try self.init(id: UUID(), in: folder)
        finish()
    }

    /// Opens the journal that a process left. Returns nil if its session is running.
    package init?(resuming url: URL) throws {
        do {
            contents = Mutex(try Self.open(url))
        } catch SessionLogError.locked {
            return nil
        }
    }

    private static func open(_ url: URL) throws -> Contents {
        Contents(url: url, writer: try SessionLogWriter(url), file: try SynchronizedFile(url))
    }

    deinit {
        contents.withLock { contents in
            guard !contents.isRemoved else { return }
            do { try contents.writer.flush() } catch {}  // Nobody is left to be notified or to try again.
        }
    }

    /// Whether the file's name is removed, so that it disappears with this process.
    package var isRemoved: Bool { contents.withLock { $0.isRemoved } }

    // MARK: Writing

    /// Adds an entry. Returns the byte at which its line begins, or nil if a log cannot represent the entry.
    @discardableResult
    package func append(_ entry: SessionEntry) -> Int? {
        var start: Int?
        attempt { contents in
            let end = contents.writer.byteCount
            // An entry that a log cannot represent is in no journal, which is no fault of the file.
            do { try contents.writer.append(entry) } catch { return }
            start = end
            contents.isUnsettled = true
            let isMuch = contents.writer.pendingByteCount > Self.longestWaitInBytes
            // A file that failed is tried again every second, not for each entry.
            if contents.fault == nil, contents.writesThrough || isMuch { try contents.writer.flush() }
        }
        return start
    }

    package func commit() throws {
        try attempt { contents in
            guard !contents.isRemoved else { return }
            try contents.writer.flush(durable: true)
            contents.isUnsettled = false
            contents.fault = nil
        }.get()
    }

    /// From here on, the file has each entry before the next sink gets it, so that entries sent to another machine are
    /// still known if this process is killed. It costs one `write` per entry, and does not wait for the disk.
    package func writeThrough() {
        attempt { contents in
            contents.writesThrough = true
            try contents.writer.flush()
        }
    }

    /// Whether the file lacks entries that were appended.
    package var isBehind: Bool { contents.withLock { $0.fault != nil && $0.writer.pendingByteCount > 0 } }

    /// Calls `changed` with the reason if the file can no longer be written, and with nil when it has everything again.
    package func watch(_ changed: @escaping @Sendable ((any Error)?) -> Void) {
        let fault = contents.withLock { contents in
            if !contents.isRemoved { contents.watcher = changed }
            return contents.fault
        }
        if let fault { changed(fault) }
    }

    /// Runs work on the file. An error stays the journal's fault until the file has everything.
    @discardableResult
    private func attempt(_ work: (inout Contents) throws -> Void) -> Result<Void, any Error> {
        let (result, watcher, fault, becameDue) = contents.withLock { contents in
            let wasSound = contents.fault == nil
            let result: Result<Void, any Error>
            do {
                result = .success(try work(&contents))
            } catch {
                contents.fault = error
                contents.isUnsettled = true
                result = .failure(error)
            }
            let watcher = (contents.fault == nil) != wasSound ? contents.watcher : nil
            // A removed file need not be synced every second. Only one that failed is tried again.
            let needsCare = contents.isUnsettled && (!contents.isRemoved || contents.fault != nil)
            let becomesDue = needsCare && !contents.isDue
            if becomesDue { contents.isDue = true }
            return (result, watcher, contents.fault, becomesDue)
        }
        if becameDue { queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.settle() } }
        watcher?(fault)
        return result
    }

    /// Syncs new data to the disk.
    private func settle() {
        let (isUnsettled, file) = contents.withLock { contents in
            contents.isDue = false
            return (contents.isUnsettled, contents.file)
        }
        guard isUnsettled else { return }
        let written = attempt { contents in
            try contents.writer.flush()
            contents.isUnsettled = false
        }
        guard case .success = written else { return }
        // Outside the lock, so that a slow disk delays nothing.
        let synchronized = Result { try file?.synchronize() }
        attempt { contents in
            // The file was removed meanwhile, so it need not be on the disk.
            if !contents.isRemoved { _ = try synchronized.get() }
            if contents.writer.pendingByteCount == 0 { contents.fault = nil }
        }
    }

    // MARK: Reading

    /// The length of the log, including unwritten data.
    var byteCount: Int { contents.withLock { $0.writer.byteCount } }

    /// Returns `count` bytes of the log from `offset` on, or fewer at its end, written or not. Also works after the
    /// journal is finished.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try contents.withLock { try $0.writer.bytes(at: offset, count: count) }
    }

    // MARK: The end

    /// Removes the file's name, because the log is no longer needed. Must not be called before its replacement is on
    /// the disk. A process with the log open can still read it.
    package func finish() {
        let (url, watcher) = contents.withLock { contents in
            defer {
                contents.file = nil
                contents.fault = nil
                contents.watcher = nil
            }
            return (contents.url, contents.fault == nil ? nil : contents.watcher)
        }
        watcher?(nil)
        do { try DurableFile.remove(url) } catch {}  // Recovery finds its workout in the store, and removes it.
    }

    /// Leaves the file as a killed process does: with all entries, and unlocked. A process with the log open can still
    /// read it, and write to an unnamed copy.
    package func leave() throws {
        try contents.withLock { contents in
            guard !contents.isRemoved else { return }
            try contents.writer.flush()
            // The writer keeps its file, and the lock on it.
            let copy = contents.url.appendingPathExtension("left")
            try FileManager.default.copyItem(at: contents.url, to: copy)
            try DurableFile.move(copy, to: contents.url)
            contents.file = nil
            contents.fault = nil
            contents.watcher = nil
        }
    }

    /// Moves the journal to a separate folder, where recovery does not search, because the workout is saved but another
    /// machine lacks a part of the log. It stays there until that machine has everything.
    package func setAside() {
        attempt { contents in
            let folder = contents.url.deletingLastPathComponent()
            guard !contents.isRemoved, folder.lastPathComponent != Self.undelivered else { return }
            let apart = folder.appendingPathComponent(Self.undelivered)
            try contents.writer.flush(durable: true)
            try DurableFile.makeFolder(apart)
            let url = apart.appendingPathComponent(contents.url.lastPathComponent)
            try DurableFile.move(contents.url, to: url)
            contents.url = url
        }
    }

    /// The folder for such journals, inside that of the journals.
    package static let undelivered = "undelivered"

    // MARK: Leftovers

    /// Returns the journals in a folder, newest first.
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
