import Glibc
import Recordings
import Synchronization

/// What apps saved while the device was locked: files in a folder beside the store, one a call, until the store is used
/// unlocked.
///
/// A file is written and synced under another name and then renamed, and the folder synced, before the app is told that its
/// data is saved: it survives the death of the process and a loss of power. Names begin with the time, so files are merged
/// in the order in which they came. A file goes after the transaction that took it in, which also notes its name: whoever
/// finds the name noted (the process died in between) removes the file and does nothing else. So each is applied exactly
/// once.
package struct LockedJournal: Sendable {
    package let folder: URL

    package init(besideStore path: String) {
        folder = URL(fileURLWithPath: path + "-locked", isDirectory: true)
    }

    // MARK: Writing

    package func append(_ write: StoreWrite, from source: HKSourceRevision) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try OwnFolder.check(folder.path)
            let data = try LockedWrite(write, from: source).encoded()
            let name = Self.nextName()
            let waiting = folder.appendingPathComponent(name + ".part").path
            try Self.writeDurably(data, to: waiting)
            guard rename(waiting, folder.appendingPathComponent(name + ".saved").path) == 0 else { throw Self.failure }
            try Self.sync(folder.path)
        } catch let error as HKError {
            throw error
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The device is locked, and \(folder.path) could not keep what was to be saved. Nothing was saved. Make "
                    + "the folder writable or unlock the device.", cause: error)
        }
    }

    private static let latest = Mutex<UInt64>(0)

    /// Ascending within a process, and by the clock between processes.
    private static func nextName() -> String {
        let now = UInt64(max(0, Date().timeIntervalSince1970 * 1e6))
        let time = latest.withLock { latest in
            latest = max(now, latest + 1)
            return latest
        }
        return String(format: "%020llu-", time) + UUID().uuidString
    }

    private static var failure: any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private static func writeDurably(_ data: Data, to path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw failure
                }
                rest = rest.dropFirst(count)
            }
        }
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure }
    }

    // MARK: Merging

    /// Whether anything waits: one look at the file system.
    package var isEmpty: Bool { access(folder.path, F_OK) != 0 || names.isEmpty }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".saved") }
            .sorted()
    }

    /// Takes everything that waits into the store, in order. What the store refuses (a UUID that came there meanwhile) or
    /// nobody can read is put aside with the ending `.refused` and said on standard error.
    package func merge(into database: any HealthDatabase) throws {
        guard !isEmpty else { return }
        try OwnFolder.check(folder.path)
        // One at a time: a note is only good while nobody else holds the file that it speaks of.
        let lock = open(folder.appendingPathComponent("lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failure }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw Self.failure } }
        for name in names {
            let url = folder.appendingPathComponent(name)
            let data = try Data(contentsOf: url)
            do {
                let write = try LockedWrite(decoding: data)
                try database.applyOnce(write.write(), from: write.sourceRevision(), mark: "locked.\(name)")
            } catch let error where Self.isRefusal(error) {
                let aside = url.deletingPathExtension().appendingPathExtension("refused")
                _ = rename(url.path, aside.path)
                let reason = (error as? HKError)?.localizedDescription ?? String(describing: error)
                let text = "HealthKit: what was saved while locked was refused and stands in \(aside.path): \(reason)\n"
                FileHandle.standardError.write(Data(text.utf8))
                continue
            }
            guard unlink(url.path) == 0 || errno == ENOENT else { throw Self.failure }
            try Self.sync(folder.path)
            // The name never comes again, and the file is gone for good: the note has done its work.
            try database.setSetting("locked.\(name)", nil)
        }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        if let error = error as? HKError { return error.code == .errorInvalidArgument }
        return error is DecodingError || error is LockedWriteError || error is SessionLogError
            || error is SampleRunError
    }
}
