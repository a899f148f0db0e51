import Foundation
import SessionLog

/// Bytes that come one after the other: a file's, or those of an archive's entry as they are unpacked.
package protocol ByteStream: AnyObject {
    /// How many bytes there will be in all, as far as that is known before they are read.
    var size: Int { get }
    /// Puts the next bytes into the buffer and says how many; 0 only at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int
}

extension ByteStream {
    /// The next bytes: so many, or fewer where the stream ends before.
    func next(_ count: Int) throws(ByteStreamFault) -> [UInt8] {
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
            // What the system says of a socket.
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

    /// So many bytes, or fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(ByteStreamFault) -> [UInt8] {
        do throws(FileFault) { return try file.bytes(at: offset, count: count) } catch { throw .unreadable(error) }
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int) throws(ByteStreamFault) -> Int {
        do throws(FileFault) { return try file.read(into: buffer, at: offset) } catch { throw .unreadable(error) }
    }
}

/// A file from its start to its end.
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

/// A stream that is given up, with an error, once somebody says so: however long it is between two elements.
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

/// Bytes that are in memory already, handed out in pieces.
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
