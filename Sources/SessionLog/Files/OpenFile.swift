package import Foundation

/// The system's error for an action on a file.
public struct FileFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path of the file.
    public var path: String
    /// The action, such as `open` or `write to`.
    public var action: String
    /// The value of `errno`.
    public var code: Int32

    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.path = path
        self.action = action
        self.code = code
    }

    /// The action, the file, and the system's error.
    public var description: String {
        "cannot \(action) \(path): \(String(cString: strerror(code)))\(advice.map { "; " + $0 } ?? "")"
    }

    private var advice: String? {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: "free some disk space; earlier data is intact"
        case EACCES, EPERM, EROFS: "choose a file that you may access, or ask its owner"
        case ENOENT: "check the name, and that its folder exists"
        case ENOTDIR: "a part of the path is not a folder"
        case EISDIR: "choose a file in this folder"
        case EIO: "the disk reports an error; copy your data to another disk"
        case EMFILE, ENFILE: "close other files or programs"
        default: nil
        }
    }
}

/// An open file with one owner, closed together with it. Every call is repeated if a signal interrupts it.
package struct OpenFile: ~Copyable, Sendable {
    package let path: String
    private let descriptor: Int32

    /// Opens a file for reading. Does not wait for the other end of a pipe.
    package init(reading path: String) throws(FileFault) {
        try self.init(path, O_RDONLY | O_NONBLOCK, "read")
    }

    /// Opens a file for reading and appending. A new one is private to the user, because it holds health data.
    package init(appending path: String) throws(FileFault) {
        try self.init(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, "append to")
    }

    /// Creates a new file for writing, private to the user. Fails if there is one of that name.
    package init(creating path: String) throws(FileFault) {
        try self.init(path, O_RDWR | O_CREAT | O_EXCL, "write")
    }

    /// Opens a folder to bring its entries to the disk.
    package init(folder path: String) throws(FileFault) {
        try self.init(path, O_RDONLY | O_DIRECTORY, "bring to disk")
    }

    private init(_ path: String, _ flags: Int32, _ action: String) throws(FileFault) {
        var opened = again { open(path, flags | O_CLOEXEC, 0o600) }
        // A program may start without its standard streams. Its output must not end up in a file that takes one of
        // their numbers.
        if (STDIN_FILENO...STDERR_FILENO).contains(opened) {
            let higher = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            let code = errno
            close(opened)
            errno = code
            opened = higher
        }
        if opened < 0 { throw FileFault(action, path) }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    package enum Kind: Sendable { case regular, directory, other }

    package func status() throws(FileFault) -> (kind: Kind, size: Int) {
        var status = stat()
        guard again({ fstat(descriptor, &status) }) == 0 else { throw FileFault("examine", path) }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            default: .other
            }
        return (kind, Int(status.st_size))
    }

    /// Whether the file still has an entry in a folder.
    package var hasName: Bool {
        var status = stat()
        return again { fstat(descriptor, &status) } == 0 && status.st_nlink > 0
    }

    /// Returns when a file's content was last changed. Nil if there is no file.
    package static func modified(_ path: String) -> Date? {
        var status = stat()
        guard again({ stat(path, &status) }) == 0 else { return nil }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    }

    /// Reads bytes from `offset` on, at most as many as fit into `buffer`, and returns their number. It is 0 at the
    /// end.
    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int) throws(FileFault) -> Int {
        let count = again { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        if count < 0 { throw FileFault("read", path) }
        return count
    }

    /// Returns `count` bytes from `offset` on, or fewer if the file ends before.
    package func bytes(at offset: Int, count: Int) throws(FileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let start = filled
            let more = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(FileFault) in
                try read(into: UnsafeMutableBufferPointer(rebasing: buffer[start...]), at: offset + start)
            }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Appends bytes and returns how many, which may not be all.
    package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(FileFault) -> Int {
        #if canImport(Glibc)
        let count = again { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
        #else
        let count = again { Musl.write(descriptor, bytes.baseAddress, bytes.count) }
        #endif
        if count < 0 { throw FileFault("write to", path) }
        if count == 0 && !bytes.isEmpty { throw FileFault("write to", path, code: EIO) }
        return count
    }

    /// Overwrites bytes at an offset of a file that was not opened for appending.
    package func write(_ bytes: [UInt8], at offset: Int) throws(FileFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { rest in
                again { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written)) }
            }
            if count < 0 { throw FileFault("write to", path) }
            if count == 0 { throw FileFault("write to", path, code: EIO) }
            written += count
        }
    }

    package func cut(to size: Int) throws(FileFault) {
        if again({ ftruncate(descriptor, off_t(size)) }) != 0 { throw FileFault("cut back", path) }
    }

    /// Takes the lock until the file closes. Returns false if another process holds it.
    package func lock() throws(FileFault) -> Bool {
        if FileLock.take(descriptor) { return true }
        guard errno == EWOULDBLOCK else { throw FileFault("lock", path) }
        return false
    }

    /// Makes later reads and writes wait for the file. Without this, a file system elsewhere (FUSE, a network) may
    /// answer EAGAIN. Local ones never do (`open(2)`, O_NONBLOCK).
    package func waitFromHereOn() throws(FileFault) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
            throw FileFault("examine", path)
        }
    }

    /// Waits until the data of the file is on the disk.
    package func synchronize() throws(FileFault) {
        if again({ fdatasync(descriptor) }) != 0 { throw FileFault("bring to disk", path) }
    }

    /// Waits until the entries of this folder are on the disk.
    package func synchronizeEntries() throws(FileFault) {
        if again({ fsync(descriptor) }) != 0 { throw FileFault("bring to disk", path) }
    }

    /// Waits until the folder's entry of the file is on the disk. Otherwise a new file may be lost with the power.
    package func synchronizeFolder() throws(FileFault) {
        try DurableFile.synchronize(folder: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}

/// Repeats a system call while signals interrupt it.
package func again<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
