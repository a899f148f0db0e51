import Glibc
import SessionLog
import Synchronization

/// The writes of apps while the device is locked: files in a folder beside the store, one for each call, until the store is
/// used unlocked.
///
/// A file is written and synced under another name, then renamed, and the folder is synced before the app learns that its data
/// is saved. So it survives a crash and a loss of power. Names begin with the time, so files are merged in order. The
/// transaction that merges a file also notes its name, and the file is removed afterwards. If the process dies in between, the
/// next one finds the name and only removes the file. So each write is applied exactly once.
package struct LockedJournal: Sendable {
    package let folder: URL

    package init(besideStore path: String) {
        folder = URL(fileURLWithPath: path + "-locked", isDirectory: true)
    }

    // MARK: Writing

    package func append(_ write: StoreWrite, from source: HKSourceRevision) throws {
        do {
            try DurableFile.makeFolder(folder)
            try HKError.translating { try TrustedFolder.check(folder.path) }
            let file = folder.appendingPathComponent(Self.nextName() + ".saved")
            try LockedWrite.keep(write, from: source, in: file)
        } catch let error as HKError {
            throw error
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The device is locked, and \(folder.path) could not keep the new data. Nothing was saved. Make "
                    + "the folder writable or unlock the device.", cause: error)
        }
    }

    private static let latest = Mutex<UInt64>(0)

    /// The next name: ascending within a process, and by the clock between processes.
    private static func nextName() -> String {
        let now = UInt64(max(0, Date().timeIntervalSince1970 * 1e6))
        let time = latest.withLock { latest in
            latest = max(now, latest + 1)
            return latest
        }
        return String(format: "%020llu-", time) + UUID().uuidString
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    // MARK: Merging

    /// Whether a file waits, by one access to the file system.
    package var isEmpty: Bool { access(folder.path, F_OK) != 0 || names.isEmpty }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".saved") }
            .sorted()
    }

    /// Merges all waiting files into the store, in order. A file that the store refuses (its UUID was stored meanwhile), or that is
    /// damaged, is renamed with the ending `.refused` and reported on standard error. A file without read permission is reported
    /// and stays. The other files are merged in any case.
    package func merge(into database: any HealthDatabase) throws {
        guard !isEmpty else { return }
        try HKError.translating { try TrustedFolder.check(folder.path) }
        do {
            try mergeAll(into: database)
        } catch let error as HKError {
            throw error
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "Data saved while locked cannot be moved into the store. It stays in \(folder.path); make that folder "
                    + "writable.", cause: error)
        }
    }

    private func mergeAll(into database: any HealthDatabase) throws {
        // One at a time, because a note is valid only while no other process holds the file.
        let lock = open(folder.appendingPathComponent("lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failure }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw Self.failure } }
        for name in names {
            let url = folder.appendingPathComponent(name)
            let line: Data
            let rest: LoggedEntries?
            switch Self.contents(of: url) {
            case .success(let contents): (line, rest) = contents
            case .failure(let error):
                if error.code == .EISDIR {
                    setAside(url, error)
                } else {
                    Notice.post(Self.sentence(url, "stays", error))
                }
                continue
            }
            do {
                let write = try LockedWrite(decoding: line)
                try database.apply(
                    [.save(write.write(rest))], from: write.sourceRevision(), once: "locked.\(name)")
            } catch let error where Self.isRefusal(error) {
                setAside(url, error)
                continue
            }
            try DurableFile.remove(url)
            // The file is gone and its name is never used again, so the note is no longer needed.
            try database.setSetting("locked.\(name)", nil)
        }
    }

    /// Returns the first line, and the rest unread.
    private static func contents(of url: URL) -> Result<(Data, LoggedEntries?), POSIXError> {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(failure) }
        defer { close(descriptor) }
        var data = Data()
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return .failure(failure) }
            if count == 0 { return .success((data, nil)) }
            if let end = part[..<count].firstIndex(of: 0x0A) {
                data += part[..<end]
                return .success((data, LoggedEntries(url: url, offset: data.count + 1)))
            }
            data += part[..<count]
        }
    }

    private func setAside(_ url: URL, _ error: any Error) {
        let aside = url.deletingPathExtension().appendingPathExtension("refused")
        do throws(FileFault) {
            try DurableFile.move(url, to: aside)
            Notice.post(Self.sentence(aside, "was refused and is kept", error))
        } catch let fault {
            Notice.post(Self.sentence(url, "was refused and stays", error) + " (\(fault))")
        }
    }

    private static func sentence(_ url: URL, _ happened: String, _ error: any Error) -> String {
        let reason = (error as? HKError)?.localizedDescription ?? String(describing: error)
        return "data saved while locked \(happened) in \(url.path): \(reason)"
    }

    /// Whether another attempt would fail too, because the file and not the store is the cause.
    private static func isRefusal(_ error: any Error) -> Bool {
        if let error = error as? HKError { return error.code == .errorInvalidArgument }
        return error is DecodingError || error is LockedWriteError || error is SessionLogError
            || error is SampleRunError || error is SampleError
    }
}
