package import Foundation
import Glibc

/// Files that only the user can read, written atomically, by one process at a time.
package enum PrivateFile {
    /// Creates the folder (0700) if it does not exist.
    package static func makeFolder(_ folder: URL) throws(MirrorError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file(path: folder.path, reason: "\(error.localizedDescription)")
        }
        // The folder may be older than this program, or shared with others of its files.
        guard chmod(folder.path, 0o700) == 0 else { throw failure(folder) }
    }

    /// Reads a file. Returns nil if there is no such file.
    package static func read(_ file: URL) throws(MirrorError) -> Data? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(file)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do { return try handle.readToEnd() ?? Data() } catch {
            throw .file(path: file.path, reason: error.localizedDescription)
        }
    }

    /// Replaces the file by a new one (0600) in the same folder. The new file is synced before it gets the file's name.
    package static func write(_ data: Data, to file: URL) throws(MirrorError) {
        let new = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).\(UUID())")
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(new) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(new.path)
            throw .file(path: file.path, reason: error.localizedDescription)
        }
        guard rename(new.path, file.path) == 0 else {
            let error = failure(file)
            unlink(new.path)
            throw error
        }
    }

    /// Runs `body` under an exclusive lock between processes and threads.
    package static func exclusively<Result>(
        _ lock: URL, _ body: () throws(MirrorError) -> Result
    ) throws(MirrorError) -> Result {
        let descriptor = open(lock.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(lock) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(lock) }
        }
        return try body()
    }

    private static func failure(_ file: URL) -> MirrorError {
        .file(path: file.path, reason: String(cString: strerror(errno)))
    }
}
