public import Foundation

/// Appends entries to a session log on disk, whole lines only.
///
/// There is one writer of a log at a time: the file is locked (`flock`, which other writers of this package ask for and
/// other programs need not) until the writer goes. Entries gather in memory until `flush`; what `flush` returned for
/// survives the end of the process, and with `durable` the loss of power. A writer that goes without a last `flush` takes
/// the entries since with it.
///
/// A writer that was killed may leave a line cut off. The next one to open the log cuts that fragment away, as nobody was
/// told that it had been written; a last line that is whole and only lacks its line feed is given one. `repair` says
/// which. A file that is not a session log is refused and left alone.
///
/// When the disk is full, or fails, `flush` throws. The file then ends with a whole line, every line that was flushed
/// before is intact, and those that did not fit wait for the next `flush`.
///
/// Not for two threads at once; the owner sees to that.
public struct SessionLogWriter: ~Copyable, Sendable {
    /// Where the log is; locked until the writer goes.
    public let url: URL
    /// What was done to the end of the log when it was opened; nil when that was whole. `byte` is the place in the file.
    public let repair: RecordingWarning?

    private let file: OpenFile
    private var encoder = SessionLogEncoder()
    /// Bytes of the file that are whole lines.
    private var length: Int
    /// A part of a line stands behind `length`.
    private var hasFragment = false
    /// The folder's entry of the file is on the disk. Of an older file nobody knows that: its writer may have been killed.
    private var isFolderDurable = false

    /// Opens a log to append to it, or creates it, readable by its owner only.
    ///
    /// - Throws: `locked`; `notALog` or `newerVersion` when the file begins so; `file`.
    public init(_ url: URL) throws(SessionLogError) {
        let file = try Self.open(url.path)
        let status = try Self.status(file)
        let tail = try SessionLogTail(file, size: status.size)
        let repair: RecordingWarning?
        let length: Int
        do throws(FileFault) {
            switch tail {
            case .whole(let size):
                length = size
                repair = nil
            case .unterminated(let size):
                try Self.write([0x0A], to: file)
                length = size + 1
                repair = RecordingWarning(byte: size, message: "the last line was whole and got its line feed")
            case .fragment(let size, let count):
                try file.cut(to: size)
                length = size
                repair = RecordingWarning(
                    byte: size, message: "a last line that was cut off, of \(count) bytes, was removed")
            }
        } catch { throw .file(error) }
        self.url = url
        self.file = file
        self.length = length
        self.repair = repair
    }

    private static func open(_ path: String) throws(SessionLogError) -> OpenFile {
        do throws(FileFault) { return try OpenFile(appending: path) } catch { throw .file(error) }
    }

    private static func status(_ file: borrowing OpenFile) throws(SessionLogError) -> (kind: OpenFile.Kind, size: Int) {
        let isLocked: Bool
        let status: (kind: OpenFile.Kind, size: Int)
        do throws(FileFault) {
            isLocked = try file.lock()
            // Only now: another writer may have appended until it let go of the lock.
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

    /// Bytes of lines that wait for a `flush`.
    public var pendingByteCount: Int { encoder.bytes.count }

    /// Bytes of the log: those that are in the file, and those that wait.
    public var byteCount: Int { length + encoder.bytes.count }

    /// Bytes of the log from `offset` on, `count` of them or fewer at its end, wherever they are.
    ///
    /// - Throws: `file`, also when the file has become shorter than what was written to it.
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

    /// Adds an entry to those that the next `flush` writes.
    ///
    /// - Throws: `notFinite`, `lineTooLong` or `unwritableVersion`; the entry is then not added.
    public mutating func append(_ entry: SessionEntry) throws(SessionLogError) {
        try encoder.append(entry)
    }

    /// Writes all entries that were appended.
    ///
    /// - Parameter durable: Waits until the disk has them, which takes milliseconds to tens of them. Otherwise the system
    ///   has them, and only a loss of power within the next half minute or so can take them away.
    /// - Throws: `file`. Lines that are not in the file are still pending.
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

    /// Flushes, and lets go of the file.
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
            // Should this fail too, the next flush tries again before it writes anything.
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
