import Glibc
import SessionLog
import Synchronization

/// The apps that run and listen. Each holds a shared lock on a file beside the store as long as its process lives. The
/// kernel releases the lock, whatever ends the process.
package struct AppPresence: Sendable {
    private let folder: String

    package init(besideStore path: String) {
        folder = path + "-apps"
    }

    private static let held = Mutex<[String: Int32]>([:])

    /// Holds the lock of an app until this process ends.
    package func hold(_ bundleIdentifier: String) {
        let path = file(bundleIdentifier)
        Self.held.withLock { held in
            guard held[path] == nil else { return }
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            // A runner that checks the lock holds it for an instant.
            while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
            held[path] = descriptor
        }
    }

    /// Returns whether a process of the app holds the lock.
    package func isRunning(_ bundleIdentifier: String) -> Bool {
        let descriptor = open(file(bundleIdentifier), O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return !FileLock.take(descriptor, within: 0.05) && errno == EWOULDBLOCK
    }

    /// Takes the lock of the only runner of a store. Returns nil if there is another runner. The lock is held until it
    /// is deallocated.
    package func lockRunner() throws -> RunnerLock? {
        try HKError.translating { try TrustedFolder.check(folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // No bundle identifier has a space.
        let descriptor = open(folder + "/the runner", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard FileLock.take(descriptor, within: 1) else {
            close(descriptor)
            return nil
        }
        return RunnerLock(descriptor)
    }

    private func file(_ bundleIdentifier: String) -> String {
        folder + "/" + String(bundleIdentifier.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
            + ".app"
    }
}

package final class RunnerLock: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
