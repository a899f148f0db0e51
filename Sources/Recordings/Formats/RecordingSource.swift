public import Foundation
public import SessionLog
import Synchronization

/// The place of a recording's bytes, which can be read from the start as often as needed.
public struct RecordingSource: Sendable {
    /// The path for messages.
    public let path: String
    private let begin: @Sendable () throws(ByteStreamFault) -> any ByteStream
    private let noted = Noted()
    /// When the bytes were last changed, if known.
    package let modified: Date?
    /// The file that holds the bytes, which gzip may have packed. Nil for bytes in an archive or in memory.
    private(set) var file: URL?

    /// Creates a source from a file, which gzip may have packed.
    public init(_ url: URL) {
        let path = url.path
        self.init(path: path, modified: OpenFile.modified(path)) { () throws(ByteStreamFault) in
            FileStream(try SharedFile(path))
        }
        file = url
    }

    /// Creates a source from bytes in memory, with `path` as their name.
    public init(path: String, bytes: [UInt8]) {
        self.init(path: path, modified: nil) { MemoryStream(bytes) }
    }

    /// Returns a source of other bytes that were made from this one's.
    func replacing(_ bytes: [UInt8]) -> RecordingSource {
        RecordingSource(path: path, modified: modified) { MemoryStream(bytes) }
    }

    /// Creates a source from a file in an archive, which gzip may have packed as well.
    package init(_ entry: ZipEntry, in archive: ZipArchive) {
        self.init(
            path: archive.file.path + "/" + entry.name, modified: entry.modified ?? OpenFile.modified(archive.file.path)
        ) { () throws(ByteStreamFault) in try archive.stream(entry) }
        if let damage = archive.damage { noted.note(damage) }
    }

    private init(
        path: String, modified: Date?, begin: @escaping @Sendable () throws(ByteStreamFault) -> any ByteStream
    ) {
        self.path = path
        self.modified = modified
        self.begin = begin
    }

    /// Opens the bytes from the first one on.
    public func open() throws(RecordingError) -> RecordingBytes {
        let noted = noted
        let stream: any ByteStream
        do throws(ByteStreamFault) { stream = try begin() } catch { throw RecordingError(error) }
        return try RecordingBytes(stream, path: path) { noted.note($0) }
    }

    /// Returns the first bytes.
    public func start() throws(RecordingError) -> FileStart { FileStart(try open().start(FileStart.size)) }

    /// Returns all bytes, for a format that is read as a whole.
    ///
    /// - Parameter nothing: Describes larger files in the error, as in `no training session`.
    func all(atMost megabytes: Int, which nothing: String) throws(RecordingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try open().forEach { (piece) throws(RecordingError) in
            bytes.append(contentsOf: piece)
            guard bytes.count <= megabytes << 20 else {
                throw .invalid(
                    path: path, byte: bytes.count, reason: "it has more than \(megabytes) MB, which \(nothing) has")
            }
        }
        return bytes
    }

    /// The first place where the bytes read so far could not be unpacked; what follows is missing.
    public var damage: RecordingWarning? { noted.warning }

    private final class Noted: Sendable {
        private let first = Mutex<RecordingWarning?>(nil)

        var warning: RecordingWarning? { first.withLock { $0 } }

        func note(_ warning: RecordingWarning) { first.withLock { $0 = $0 ?? warning } }
    }
}
