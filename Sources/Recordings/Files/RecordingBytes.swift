import Foundation

/// The bytes of a recording's file from its start to its end; those of a gzip file unpacked as they are read, so that memory
/// does not grow with the file.
///
/// What follows in a gzip file once it cannot be unpacked any more is missing; `warning` says where. Not for two threads.
final class RecordingBytes {
    let path: String
    /// What was read is not all that the file held; nil as long as it is.
    private(set) var warning: RecordingWarning?
    private let file: OpenFile
    /// Of the file, and what was taken of it.
    private let size: Int
    private var offset = 0
    private var gunzip: Gunzip?
    private var unpacked = 0
    /// Looked at, and not yet read.
    private var seen: ArraySlice<UInt8> = []

    /// Deflate packs a thousand zeros into a byte; recordings come to 40.
    static let maximumRatio = 200
    /// So much is unpacked whatever the file's size.
    static let freeSize = 64 << 20
    static let maximumUnpackedSize = 8 << 30

    /// Opens a regular file.
    init(_ url: URL) throws(RecordingError) {
        path = url.path
        file = try RecordingFile.open(url)
        do throws(FileFault) { size = try file.status().size } catch { throw .unreadable(error) }
        let mark = try bytes(at: 0, count: 2)
        if mark == Gunzip.mark { gunzip = try Self.unpacking(path) }
    }

    /// Whether the file is packed.
    var isPacked: Bool { gunzip != nil }

    /// How many bytes there are in all: of a packed file, when it was read.
    func count() throws(RecordingError) -> Int {
        guard isPacked else { return size }
        var count = 0
        try forEach { count += $0.count }
        return count
    }

    /// Reads all that is left, piece by piece.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>) throws(RecordingError) -> Void) throws(RecordingError) {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.pieceSize)
        defer { room.deallocate() }
        while true {
            let count = try read(into: room)
            if count == 0 { return }
            try body(UnsafeBufferPointer(rebasing: room[..<count]))
        }
    }

    private static let pieceSize = 1 << 18

    /// The first bytes, which are read all the same.
    func start(_ count: Int) throws(RecordingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let from = filled
            let more = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(RecordingError) in
                try read(into: UnsafeMutableBufferPointer(rebasing: buffer[from...]))
            }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        seen = bytes[...]
        return bytes
    }

    /// Puts the next bytes into the buffer and says how many; 0 only at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(RecordingError) -> Int {
        if !seen.isEmpty {
            let piece = seen.prefix(buffer.count)
            _ = buffer.update(fromContentsOf: piece)
            seen = seen.dropFirst(piece.count)
            return piece.count
        }
        guard let gunzip else { return try readFile(into: buffer) }
        guard warning == nil else { return 0 }
        do throws(Gunzip.Failure) {
            let count = try gunzip.read(into: buffer) { (input) throws(RecordingError) in try readFile(into: input) }
            unpacked += count
            if unpacked > Self.maximumUnpackedSize
                || unpacked > Self.freeSize && unpacked / Self.maximumRatio > size
            {
                throw .unreadable(
                    .invalid(
                        path: path, byte: offset,
                        reason: "it unpacks to more than \(unpacked / 1_000_000) MB, which no recording of "
                            + "\(size) bytes does; unpack it with gunzip if it is one all the same"))
            }
            return count
        } catch {
            switch error {
            case .unreadable(let error): throw error
            case .damaged(let reason, let left):
                warning = RecordingWarning(
                    byte: offset - left, message: "\(reason); what could be unpacked before was read")
                return 0
            }
        }
    }

    private func readFile(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(RecordingError) -> Int {
        let count: Int
        do throws(FileFault) { count = try file.read(into: buffer, at: offset) } catch { throw .unreadable(error) }
        offset += count
        return count
    }

    private func bytes(at offset: Int, count: Int) throws(RecordingError) -> [UInt8] {
        do throws(FileFault) { return try file.bytes(at: offset, count: count) } catch { throw .unreadable(error) }
    }

    private static func unpacking(_ path: String) throws(RecordingError) -> Gunzip {
        guard let gunzip = Gunzip() else {
            throw .invalid(path: path, byte: 0, reason: "zlib has no memory to unpack it")
        }
        return gunzip
    }
}
