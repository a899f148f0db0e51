import Foundation

/// Bytes in sequence: those of a file, or of an entry of an archive as it is unpacked.
package protocol ByteStream: AnyObject {
    /// The total number of bytes, as far as it is known before they are read.
    var size: Int { get }
    /// Reads the next bytes into the buffer and returns their number. It is 0 only at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int
}

extension ByteStream {
    /// Returns the next `count` bytes, or fewer if the stream ends before.
    package func next(_ count: Int) throws(ByteStreamFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let from = filled
            let more = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(ByteStreamFault) in
                try read(into: UnsafeMutableBufferPointer(rebasing: buffer[from...]))
            }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}

/// A file that several streams read.
package final class SharedFile: Sendable {
    let file: OpenFile
    package let size: Int

    package init(_ path: String) throws(ByteStreamFault) {
        do throws(FileFault) {
            file = try OpenFile(reading: path)
        } catch {
            // The system's error for a socket.
            if error.code == ENXIO { throw .notRegular(path: path) }
            throw .unreadable(error)
        }
        let status: (kind: OpenFile.Kind, size: Int)
        do throws(FileFault) { status = try file.status() } catch { throw .unreadable(error) }
        switch status.kind {
        case .regular: size = status.size
        case .directory: throw .directory(path: path)
        case .other: throw .notRegular(path: path)
        }
    }

    package var path: String { file.path }

    /// Returns `count` bytes, or fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(ByteStreamFault) -> [UInt8] {
        do throws(FileFault) { return try file.bytes(at: offset, count: count) } catch { throw .unreadable(error) }
    }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int) throws(ByteStreamFault) -> Int {
        do throws(FileFault) { return try file.read(into: buffer, at: offset) } catch { throw .unreadable(error) }
    }
}

/// Reads a file from start to end.
package final class FileStream: ByteStream {
    private let file: SharedFile
    private var offset = 0

    package init(_ file: SharedFile) { self.file = file }

    package var size: Int { file.size }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        let count = try file.read(into: buffer, at: offset)
        offset += count
        return count
    }
}

/// A stream that throws as soon as it is cancelled, even in the middle of a long element.
package final class CancellableStream: ByteStream {
    private let stream: any ByteStream
    private let path: String
    private let isCancelled: () -> Bool

    package init(_ stream: any ByteStream, path: String, isCancelled: @escaping () -> Bool) {
        self.stream = stream
        self.path = path
        self.isCancelled = isCancelled
    }

    package var size: Int { stream.size }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        if isCancelled() { throw .cancelled(path: path) }
        return try stream.read(into: buffer)
    }
}

/// Bytes in memory, read in pieces.
package final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let pieceSize: Int
    private var offset = 0

    package init(_ bytes: [UInt8], pieceSize: Int = .max) {
        self.bytes = bytes
        self.pieceSize = pieceSize
    }

    package var size: Int { bytes.count }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let piece = bytes[offset...].prefix(min(buffer.count, pieceSize))
        _ = buffer.update(fromContentsOf: piece)
        offset += piece.count
        return piece.count
    }
}
