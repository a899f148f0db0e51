/// Bytes that come one after the other: a file's, or those of an archive's entry as they are unpacked.
protocol ByteStream: AnyObject {
    /// How many bytes there will be in all, as far as that is known before they are read.
    var size: Int { get }
    /// Puts the next bytes into the buffer and says how many; 0 only at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(HealthExportError) -> Int
}

/// A file that several streams read.
final class SharedFile: Sendable {
    let file: OpenFile
    let size: Int

    init(_ path: String) throws(HealthExportError) {
        do throws(FileFault) { file = try OpenFile(reading: path) } catch { throw .unreadable(error) }
        let status: (kind: OpenFile.Kind, size: Int)
        do throws(FileFault) { status = try file.status() } catch { throw .unreadable(error) }
        guard status.kind == .regular else { throw .notAFile(path: path) }
        size = status.size
    }

    var path: String { file.path }

    func bytes(at offset: Int, count: Int) throws(HealthExportError) -> [UInt8] {
        do throws(FileFault) { return try file.bytes(at: offset, count: count) } catch { throw .unreadable(error) }
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int) throws(HealthExportError) -> Int {
        do throws(FileFault) { return try file.read(into: buffer, at: offset) } catch { throw .unreadable(error) }
    }
}

/// A file from its start to its end.
final class FileStream: ByteStream {
    private let file: SharedFile
    private var offset = 0

    init(_ file: SharedFile) { self.file = file }

    var size: Int { file.size }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(HealthExportError) -> Int {
        let count = try file.read(into: buffer, at: offset)
        offset += count
        return count
    }
}

/// A stream that is given up, with an error, once somebody says so: however long it is between two elements.
final class CancellableStream: ByteStream {
    private let stream: any ByteStream
    private let path: String
    private let isCancelled: () -> Bool

    init(_ stream: any ByteStream, path: String, isCancelled: @escaping () -> Bool) {
        self.stream = stream
        self.path = path
        self.isCancelled = isCancelled
    }

    var size: Int { stream.size }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(HealthExportError) -> Int {
        if isCancelled() { throw .cancelled(path: path) }
        return try stream.read(into: buffer)
    }
}

/// Bytes that are in memory already, handed out in pieces.
final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let pieceSize: Int
    private var offset = 0

    init(_ bytes: [UInt8], pieceSize: Int = .max) {
        self.bytes = bytes
        self.pieceSize = pieceSize
    }

    var size: Int { bytes.count }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let piece = bytes[offset...].prefix(min(buffer.count, pieceSize))
        _ = buffer.update(fromContentsOf: piece)
        offset += piece.count
        return piece.count
    }
}
