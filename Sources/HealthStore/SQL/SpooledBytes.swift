import Foundation
import Glibc
import SessionLog
import Synchronization

/// Bytes that are appended, and read once they are complete. Long ones are kept in an unnamed temporary file, so that
/// they take no memory.
///
/// Copies share the file, and each knows its own parts.
package struct SpooledBytes: Sendable {
    private var parts: [TemporaryFile.Part] = []
    private var file: TemporaryFile?
    /// The bytes after the parts.
    private var latest: [UInt8] = []
    package private(set) var count = 0
    /// The file cannot be written, so everything from now on stays in memory.
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

    /// Calls `body` with the bytes in order, piece by piece.
    package func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
        for part in parts { try body(file?.bytes(of: part) ?? []) }
        if !latest.isEmpty { try body(latest) }
    }
}

/// An unnamed file that its owners append to.
private final class TemporaryFile: Sendable {
    struct Part: Sendable {
        var offset: Int
        var count: Int
    }

    private let file: OpenFile
    private let end = Mutex(0)

    /// Nil if the disk is full.
    init?() {
        let path = FileManager.default.temporaryDirectory.path + "/healthkit-\(UUID().uuidString)"
        do { file = try OpenFile(creating: path) } catch { return nil }
        unlink(path)
    }

    /// - Returns: Nil if it cannot be written.
    func append(_ bytes: [UInt8]) -> Part? {
        end.withLock { end in
            do { try file.write(bytes, at: end) } catch { return nil }
            defer { end += bytes.count }
            return Part(offset: end, count: bytes.count)
        }
    }

    func bytes(of part: Part) throws -> [UInt8] {
        func unreadable(_ reason: String) -> HKError {
            HKError.make(
                .errorDatabaseInaccessible,
                "A temporary file below \(FileManager.default.temporaryDirectory.path) cannot be read: \(reason). Nothing was "
                    + "saved; try again.")
        }
        let bytes: [UInt8]
        do { bytes = try file.bytes(at: part.offset, count: part.count) } catch {
            throw unreadable(String(cString: strerror(error.code)))
        }
        guard bytes.count == part.count else { throw unreadable("it is too short") }
        return bytes
    }
}
