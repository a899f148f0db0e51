package import Foundation

/// What the system answered when something was tried on a file.
public struct FileFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file on which something was tried.
    public var path: String
    /// What was tried, such as `open` or `write to`.
    public var action: String
    /// The value of `errno`.
    public var code: Int32

    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.path = path
        self.action = action
        self.code = code
    }

    /// What was tried, on which file, and what the system answered.
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

/// An open file: one owner, closed when that goes. Every call is tried again when a signal interrupts it.
package struct OpenFile: ~Copyable, Sendable {
    package let path: String
    private let descriptor: Int32

    /// Opens a file to read it. Does not wait for the other end of a pipe.
    package init(reading path: String) throws(FileFault) {
        try self.init(path, O_RDONLY | O_NONBLOCK, "read")
    }

    /// Opens a file to read it and append to it. A new one is the user's own: health data is private.
    package init(appending path: String) throws(FileFault) {
        try self.init(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, "append to")
    }

    /// Makes a new file to write to, the user's own; whatever has its name already is left alone.
    package init(creating path: String) throws(FileFault) {
        try self.init(path, O_RDWR | O_CREAT | O_EXCL, "write")
    }

    /// Opens a folder, to bring its entries to the disk.
    package init(folder path: String) throws(FileFault) {
        try self.init(path, O_RDONLY | O_DIRECTORY, "bring to disk")
    }

    private init(_ path: String, _ flags: Int32, _ action: String) throws(FileFault) {
        var opened = again { open(path, flags | O_CLOEXEC, 0o600) }
        // A program may begin without its standard streams. What it prints must not get into a file of ours.
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

    /// Whether it is in a folder still.
    package var hasName: Bool {
        var status = stat()
        return again { fstat(descriptor, &status) } == 0 && status.st_nlink > 0
    }

    /// When a file's content was last changed; nil where there is none.
    package static func modified(_ path: String) -> Date? {
        var status = stat()
        guard again({ stat(path, &status) }) == 0 else { return nil }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    }

    /// The bytes from `offset` on, at most as many as `buffer` has room for; 0 at the end.
    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int) throws(FileFault) -> Int {
        let count = again { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        if count < 0 { throw FileFault("read", path) }
        return count
    }

    /// The bytes from `offset` on, `count` of them, or fewer when the file ends before.
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

    /// Appends bytes, maybe not all of them.
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

    /// Puts bytes at an offset of a file that was not opened to append to it.
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

    /// Whether this open file has, from now until it is closed, the one lock that others who ask for it respect.
    package func lock() throws(FileFault) -> Bool {
        if FileLock.take(descriptor) { return true }
        guard errno == EWOULDBLOCK else { throw FileFault("lock", path) }
        return false
    }

    /// From here on a read or write waits for the file: one that lies elsewhere (FUSE, a network) may answer EAGAIN to
    /// whoever does not. Local ones never do (`open(2)`, O_NONBLOCK).
    package func waitFromHereOn() throws(FileFault) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
            throw FileFault("examine", path)
        }
    }

    /// Waits until the disk has the file's data.
    package func synchronize() throws(FileFault) {
        if again({ fdatasync(descriptor) }) != 0 { throw FileFault("bring to disk", path) }
    }

    /// Waits until the disk has the entries of this folder.
    package func synchronizeEntries() throws(FileFault) {
        if again({ fsync(descriptor) }) != 0 { throw FileFault("bring to disk", path) }
    }

    /// Waits until the disk has the folder's entry of the file: otherwise a new file may be gone after a power loss.
    package func synchronizeFolder() throws(FileFault) {
        try DurableFile.synchronize(folder: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}

/// Makes a system call again whenever a signal interrupts it.
package func again<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
