package import SessionLog
import Synchronization

/// A running session's log on disk, so that it outlives the process.
///
/// Entries are on the disk a second after they came, and at once when a callback is about to acknowledge something: what was
/// acknowledged survives `kill -9` and a loss of power. The file is locked while its session lives, goes when the workout is
/// on the disk as a whole or given up, and otherwise waits in the folder for `recoverActiveWorkoutSession`. Whoever has the
/// journal can read it, also once its file has gone.
///
/// When the file cannot be written, as on a full disk, entries wait in memory, and writing is tried again every second.
package final class SessionJournal: Sendable {
    package var url: URL { contents.withLock { $0.url } }
    private let contents: Mutex<Contents>
    /// Where the disk is waited for, so that the session is not held up.
    private let queue = DispatchQueue(label: "HealthKit.journal")

    private struct Contents: ~Copyable, Sendable {
        var url: URL
        var writer: SessionLogWriter
        /// What the writer writes, to be brought to the disk while it goes on; nil once nobody finds it any more.
        var file: SynchronizedFile?
        /// Entries came that are not on the disk for certain.
        var isUnsettled = false
        /// They will be looked after within a second.
        var isDue = false
        /// Each entry goes to the file at once.
        var writesThrough = false
        /// Why the file lacks entries, or the disk the file.
        var fault: (any Error)?
        var watcher: (@Sendable ((any Error)?) -> Void)?

        /// The file has no name any more, and goes with the journal: what is in it need not survive anything.
        var isRemoved: Bool { file == nil }
    }

    private static let interval = DispatchTimeInterval.seconds(1)
    /// What is more than this is written before the second is over, as in a replay at full speed.
    private static let longestWaitInBytes = 1 << 18

    /// Opens the journal of a workout in `folder`, or the one that is there already.
    package init(id: UUID, in folder: URL) throws {
        try DurableFile.makeFolder(folder)
        try TrustedFolder.check(folder.path)
        contents = Mutex(try Self.open(folder.appendingPathComponent("\(id.uuidString).jsonl")))
    }

    /// A file in `folder` that nobody finds: it goes with the process.
    package convenience init(withoutNameIn folder: URL) throws {
        try self.init(id: UUID(), in: folder)
        finish()
    }

    /// Takes up a journal that a process left; nil when its session is alive.
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
            do { try contents.writer.flush() } catch {}  // Nobody is left who could be told, or try again.
        }
    }

    /// Nobody finds the file, and it goes with this process.
    var isRemoved: Bool { contents.withLock { $0.isRemoved } }

    // MARK: Writing

    /// Takes an entry, and says at which byte its line begins; nil for one that no log can say.
    @discardableResult
    package func append(_ entry: SessionEntry) -> Int? {
        var start: Int?
        attempt { contents in
            let end = contents.writer.byteCount
            // What no log can say is in no journal: that is no fault of the file's.
            do { try contents.writer.append(entry) } catch { return }
            start = end
            contents.isUnsettled = true
            let isMuch = contents.writer.pendingByteCount > Self.longestWaitInBytes
            // A file that failed is tried again by the second, not by the entry.
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

    /// From here on the file has each entry before the next sink hears of it: what another machine has been told is then
    /// still known when this process is killed. Costs a `write` an entry, and waits for no disk.
    func writeThrough() {
        attempt { contents in
            contents.writesThrough = true
            try contents.writer.flush()
        }
    }

    /// Whether the file lacks entries that it was given.
    var isBehind: Bool { contents.withLock { $0.fault != nil && $0.writer.pendingByteCount > 0 } }

    /// Calls `changed` when the file can no longer be written, with the reason, and with nil when it has everything again.
    func watch(_ changed: @escaping @Sendable ((any Error)?) -> Void) {
        let fault = contents.withLock { contents in
            if !contents.isRemoved { contents.watcher = changed }
            return contents.fault
        }
        if let fault { changed(fault) }
    }

    /// Does something to the file. What goes wrong is the journal's fault until the file has everything.
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
            // What is removed waits for no second: only a file that failed is tried again.
            let needsCare = contents.isUnsettled && (!contents.isRemoved || contents.fault != nil)
            let becomesDue = needsCare && !contents.isDue
            if becomesDue { contents.isDue = true }
            return (result, watcher, contents.fault, becomesDue)
        }
        if becameDue { queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.settle() } }
        watcher?(fault)
        return result
    }

    /// Brings to the disk what came since the last time.
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
        // Not behind the lock: a disk that is slow holds nobody up.
        let synchronized = Result { try file?.synchronize() }
        attempt { contents in
            // Removed meanwhile: then nobody needs it on the disk.
            if !contents.isRemoved { _ = try synchronized.get() }
            if contents.writer.pendingByteCount == 0 { contents.fault = nil }
        }
    }

    // MARK: Reading

    /// How long the log is, with what waits to be written.
    var byteCount: Int { contents.withLock { $0.writer.byteCount } }

    /// Bytes of the log from `offset` on, `count` of them or fewer at its end, whether they are written or wait. Also when the
    /// journal is finished.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try contents.withLock { try $0.writer.bytes(at: offset, count: count) }
    }

    // MARK: The end

    /// The log has done its work: nobody finds the file any more. Must not be called before what took the journal's place is
    /// on the disk. Whoever has the log can still read it.
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

    /// Leaves the file as a process does that is killed: with all that the journal was given, and unlocked. Whoever has the log can
    /// still read it, and write what nobody finds.
    package func leave() throws {
        try contents.withLock { contents in
            guard !contents.isRemoved else { return }
            try contents.writer.flush()
            // The writer keeps its file, and that one's lock.
            let copy = contents.url.appendingPathExtension("left")
            try FileManager.default.copyItem(at: contents.url, to: copy)
            try DurableFile.move(copy, to: contents.url)
            contents.file = nil
            contents.fault = nil
            contents.watcher = nil
        }
    }

    /// The workout is saved, but another machine lacks a part of the log: the journal goes on in a folder apart, where no
    /// recovery looks for it, until that machine has everything.
    func setAside() {
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
