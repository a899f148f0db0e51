import Foundation
import Glibc
import Synchronization

/// Bytes that are added one after the other and read once they are complete. What is long stands in a temporary file without a name, so
/// that it takes no memory.
///
/// Copies share the file: each knows which parts of it are its own.
package struct SpooledBytes: Sendable {
    private var parts: [TemporaryFile.Part] = []
    private var file: TemporaryFile?
    /// Behind the parts.
    private var latest: [UInt8] = []
    package private(set) var count = 0
    /// The file cannot be written: then all that is to come stays in memory.
    private var isInMemory = false

    static let bytesInMemory = 1 << 18

    mutating func append(_ bytes: [UInt8]) {
        latest += bytes
        count += bytes.count
        guard latest.count >= Self.bytesInMemory, !isInMemory else { return }
        file = file ?? TemporaryFile()
        guard let part = file?.append(latest) else {
            isInMemory = true
            return
        }
        parts.append(part)
        latest.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with some of the bytes after the other, in order.
    package func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
        for part in parts { try body(file?.bytes(of: part) ?? []) }
        if !latest.isEmpty { try body(latest) }
    }
}

/// A file without a name, to which anybody who has it adds.
private final class TemporaryFile: Sendable {
    struct Part: Sendable {
        var offset: Int
        var count: Int
    }

    private let descriptor: Int32
    private let end = Mutex(0)

    /// Nil if there is no room for it.
    init?() {
        var name = (FileManager.default.temporaryDirectory.path + "/healthkit-XXXXXX").utf8CString.map { $0 }
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// - Returns: Nil if it cannot be written.
    func append(_ bytes: [UInt8]) -> Part? {
        end.withLock { end in
            var written = 0
            while written < bytes.count {
                let more = bytes.withUnsafeBytes {
                    pwrite(descriptor, $0.baseAddress! + written, bytes.count - written, off_t(end + written))
                }
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { return nil }
                written += more
            }
            defer { end += bytes.count }
            return Part(offset: end, count: bytes.count)
        }
    }

    func bytes(of part: Part) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: part.count)
        var read = 0
        while read < part.count {
            let more = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + read, part.count - read, off_t(part.offset) + off_t(read))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else {
                throw HKError.make(
                    .errorDatabaseInaccessible,
                    "A temporary file below \(FileManager.default.temporaryDirectory.path) cannot be read: "
                        + "\(more < 0 ? String(cString: strerror(errno)) : "it is too short"). Nothing was saved; try again."
                )
            }
            read += more
        }
        return bytes
    }
}
