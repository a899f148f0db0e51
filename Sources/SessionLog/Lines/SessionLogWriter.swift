public import Foundation

/// Appends entries to a session log on disk, in complete lines only.
///
/// A log has one writer at a time. The file is locked until the writer is released (`flock`, which only writers of this
/// package check). Entries collect in memory until `flush`. Flushed entries survive the end of the process, and with
/// `durable` a loss of power. Entries that were never flushed are lost with the writer.
///
/// A writer that was killed may leave an incomplete line. The next one to open the log removes it, because nobody was
/// told that it had been written. A complete last line without a line feed gets one. `repair` describes what was done.
/// A file that is not a session log is refused and stays unchanged.
///
/// If the disk is full, or fails, `flush` throws. The file then ends with a complete line, every line that was flushed
/// before is intact, and the others wait for the next `flush`.
///
/// It must not be used by two threads at once; the owner ensures that.
public struct SessionLogWriter: ~Copyable, Sendable {
    /// The log file, locked until the writer is released.
    public let url: URL
    /// What was done to the end of the log when it was opened. Nil if the end was complete. `byte` is the place in the
    /// file.
    public let repair: RecordingWarning?

    private let file: OpenFile
    private var encoder = SessionLogEncoder()
    /// The size of the complete lines in the file, in bytes.
    private var length: Int
    /// Whether the file has a part of a line after `length`.
    private var hasFragment = false
    /// Whether the folder's entry of the file is on the disk. For an older file this is unknown, because its writer may
    /// have been killed.
    private var isFolderDurable = false

    /// Opens a log for appending, or creates it, private to its owner.
    ///
    /// - Throws: `locked`; `notALog` or `newerVersion` if the file begins like that; `file`.
    public init(_ url: URL) throws(SessionLogError) {
        let file = try Self.open(url.path)
        let end = try Self.completeLastLine(of: file)
        self.init(url, file, length: end.length, repair: end.repair)
    }

    private init(_ url: URL, _ file: consuming OpenFile, length: Int, repair: RecordingWarning?) {
        self.url = url
        self.file = file
        self.length = length
        self.repair = repair
    }

    private static func completeLastLine(
        of file: borrowing OpenFile
    ) throws(SessionLogError) -> (length: Int, repair: RecordingWarning?) {
        let status = try Self.status(file)
        let tail = try SessionLogTail(file, size: status.size)
        do throws(FileFault) {
            switch tail {
            case .whole(let size):
                return (size, nil)
            case .unterminated(let size):
                try write([0x0A], to: file)
                return (
                    size + 1, RecordingWarning(byte: size, message: "the last line was whole and got its line feed")
                )
            case .fragment(let size, let count):
                try file.cut(to: size)
                return (
                    size,
                    RecordingWarning(
                        byte: size, message: "a last line that was cut off, of \(count) bytes, was removed")
                )
            }
        } catch { throw .file(error) }
    }

    private static func open(_ path: String) throws(SessionLogError) -> OpenFile {
        do throws(FileFault) { return try OpenFile(appending: path) } catch { throw .file(error) }
    }

    private static func status(_ file: borrowing OpenFile) throws(SessionLogError) -> (kind: OpenFile.Kind, size: Int) {
        let isLocked: Bool
        let status: (kind: OpenFile.Kind, size: Int)
        do throws(FileFault) {
            isLocked = try file.lock()
            // Only now, because another writer may have appended until it released the lock.
            status = try file.status()
        } catch { throw .file(error) }
        guard status.kind == .regular else { throw .notALog(path: file.path, reason: "it is not a regular file") }
        do throws(FileFault) { try file.waitFromHereOn() } catch { throw .file(error) }
        guard isLocked else { throw .locked(path: file.path) }
        return status
    }

    private static func write(_ bytes: [UInt8], to file: borrowing OpenFile) throws(FileFault) {
        var written = 0
        while written < bytes.count { written += try write(bytes[written...], to: file) }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: borrowing OpenFile) throws(FileFault) -> Int {
        try bytes.withUnsafeBufferPointer { (bytes) throws(FileFault) in try file.write(bytes) }
    }

    /// The bytes of lines that wait for a `flush`.
    public var pendingByteCount: Int { encoder.bytes.count }

    /// The bytes of the log: those in the file, and those that wait.
    public var byteCount: Int { length + encoder.bytes.count }

    /// Returns `count` bytes of the log from `offset` on, or fewer at its end, from the file and from those that wait.
    ///
    /// - Throws: `file`, also if the file has become shorter than what was written to it.
    public func bytes(at offset: Int, count: Int) throws(SessionLogError) -> [UInt8] {
        let end = min(offset + count, byteCount)
        guard offset < end else { return [] }
        let written = max(0, min(end, length) - offset)
        var bytes: [UInt8] = []
        if written > 0 {
            do throws(FileFault) { bytes = try file.bytes(at: offset, count: written) } catch { throw .file(error) }
            if bytes.count < written { throw .file(FileFault("read back all of", file.path, code: EIO)) }
        }
        if end > length { bytes += encoder.bytes[(max(offset, length) - length)..<(end - length)] }
        return bytes
    }

    /// Adds an entry for the next `flush`.
    ///
    /// - Throws: `notFinite`, `lineTooLong` or `unwritableVersion`; the entry is then not added.
    public mutating func append(_ entry: SessionEntry) throws(SessionLogError) {
        try encoder.append(entry)
    }

    /// Writes all appended entries.
    ///
    /// - Parameter durable: Whether to wait until they are on the disk, which takes a few to tens of milliseconds.
    ///   Otherwise they are safe with the system, except from a loss of power within about half a minute.
    /// - Throws: `file`. Lines that are not in the file still wait.
    public mutating func flush(durable: Bool = false) throws(SessionLogError) {
        do throws(FileFault) {
            try removeFragment()
            try writePending()
            guard durable else { return }
            try file.synchronize()
            if !isFolderDurable {
                try file.synchronizeFolder()
                isFolderDurable = true
            }
        } catch { throw .file(error) }
    }

    /// Flushes the entries and closes the file.
    public consuming func close(durable: Bool = true) throws(SessionLogError) {
        try flush(durable: durable)
    }

    private mutating func writePending() throws(FileFault) {
        var written = 0
        do throws(FileFault) {
            while written < encoder.bytes.count {
                written += try Self.write(encoder.bytes[written...], to: file)
            }
            length += written
            encoder.removeAll()
        } catch {
            let whole = encoder.bytes[..<written].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            length += whole
            encoder.removeFirst(whole)
            hasFragment = written > whole
            // If this fails too, the next flush tries again before it writes anything.
            do throws(FileFault) { try removeFragment() } catch {}
            throw error
        }
    }

    private mutating func removeFragment() throws(FileFault) {
        guard hasFragment else { return }
        try file.cut(to: length)
        hasFragment = false
    }
}
