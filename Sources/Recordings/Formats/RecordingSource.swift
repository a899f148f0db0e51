public import Foundation
public import SessionLog
import Synchronization

/// Where the bytes of a recording are: to be read from their start as often as is needed.
public struct RecordingSource: Sendable {
    /// What people know it by.
    public let path: String
    private let begin: @Sendable () throws(ByteStreamFault) -> any ByteStream
    private let noted = Noted()
    /// When its bytes were last changed, as far as that is known.
    package let modified: Date?

    /// A file, packed by gzip or not.
    public init(_ url: URL) {
        let path = url.path
        self.init(path: path, modified: OpenFile.modified(path)) { () throws(ByteStreamFault) in
            FileStream(try SharedFile(path))
        }
    }

    /// Bytes in memory, which `path` is the name of.
    public init(path: String, bytes: [UInt8]) {
        self.init(path: path, modified: nil) { MemoryStream(bytes) }
    }

    /// A file in an archive, packed by gzip in it or not.
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

    /// Its bytes, from the first one on.
    public func open() throws(RecordingError) -> RecordingBytes {
        let noted = noted
        let stream: any ByteStream
        do throws(ByteStreamFault) { stream = try begin() } catch { throw RecordingError(error) }
        return try RecordingBytes(stream, path: path) { noted.note($0) }
    }

    /// Its first bytes.
    public func start() throws(RecordingError) -> FileStart { FileStart(try open().start(FileStart.size)) }

    /// All its bytes, of a format that is read whole.
    ///
    /// - Parameter nothing: What has no more than this, as in `no training session`.
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

    /// Where its bytes, as far as they were read, could not be unpacked any further: what follows is missing.
    public var damage: RecordingWarning? { noted.warning }

    private final class Noted: Sendable {
        private let first = Mutex<RecordingWarning?>(nil)

        var warning: RecordingWarning? { first.withLock { $0 } }

        func note(_ warning: RecordingWarning) { first.withLock { $0 = $0 ?? warning } }
    }
}
