import SessionLog

/// The bytes of a stream; those of a gzip file unpacked as they are read, so that memory does not grow with the file.
///
/// What follows once a packed file cannot be unpacked any more is missing; `warning` says where. Not for two threads.
final class UnpackedStream: ByteStream {
    /// What was read is not all that the file held; nil as long as it is.
    private(set) var warning: RecordingWarning?
    private let path: String
    private let note: (RecordingWarning) -> Void
    private let stream: any ByteStream
    /// What was taken of the stream.
    private var offset = 0
    private var gunzip: Gunzip?
    private var unpacked = 0
    /// Looked at, and not yet read.
    private var seen: ArraySlice<UInt8>

    /// Deflate packs a thousand zeros into a byte; recordings come to 40.
    static let maximumRatio = 200
    /// So much is unpacked whatever the file's size.
    static let freeSize = 64 << 20
    static let maximumUnpackedSize = 8 << 30

    /// - Parameter note: Gets the `warning`.
    init(
        _ stream: any ByteStream, path: String, note: @escaping (RecordingWarning) -> Void
    ) throws(ByteStreamFault) {
        self.stream = stream
        self.path = path
        self.note = note
        let mark = try stream.next(2)
        seen = mark[...]
        offset = mark.count
        guard mark == Gunzip.mark else { return }
        gunzip = Gunzip()
        if gunzip == nil { throw .unsupported(path: path, reason: "zlib has no memory to unpack it") }
    }

    /// Whether the file is packed by gzip.
    var isPacked: Bool { gunzip != nil }

    /// Of a packed file, packed.
    var size: Int { stream.size }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        guard let gunzip else { return try readPacked(into: buffer) }
        guard warning == nil else { return 0 }
        do throws(Gunzip.Failure) {
            let count = try gunzip.read(into: buffer) { (input) throws(ByteStreamFault) in try readPacked(into: input) }
            unpacked += count
            if unpacked > Self.maximumUnpackedSize
                || unpacked > Self.freeSize && unpacked / Self.maximumRatio > stream.size
            {
                throw .unreadable(
                    .tooLarge(
                        path: path,
                        reason: "it unpacks to more than \(unpacked / 1_000_000) MB, which no recording of "
                            + "\(stream.size) bytes does"))
            }
            return count
        } catch {
            switch error {
            case .unreadable(let error): throw error
            case .damaged(let reason, let left): warn(byte: offset - left, reason)
            }
            return 0
        }
    }

    private func readPacked(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        guard !seen.isEmpty else { return try readStream(into: buffer) }
        let piece = seen.prefix(buffer.count)
        _ = buffer.update(fromContentsOf: piece)
        seen = seen.dropFirst(piece.count)
        return piece.count
    }

    private func readStream(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ByteStreamFault) -> Int {
        guard warning == nil else { return 0 }
        do throws(ByteStreamFault) {
            let count = try stream.read(into: buffer)
            offset += count
            return count
        } catch {
            guard case .damaged(_, let byte, let reason) = error, offset > 0 else { throw error }
            warn(byte: byte, reason)
            return 0
        }
    }

    private func warn(byte: Int, _ reason: String) {
        guard warning == nil else { return }
        let warning = RecordingWarning(byte: byte, message: "\(reason); what could be unpacked before was read")
        self.warning = warning
        note(warning)
    }
}

/// A gzip file in memory, unpacked; nil if it is none, is damaged, or unpacks to more bytes.
package func gunzipped(_ bytes: [UInt8], most: Int) -> [UInt8]? {
    guard let stream = try? UnpackedStream(MemoryStream(bytes), path: "", note: { _ in }), stream.isPacked,
        var unpacked = try? stream.next(1 << 16)
    else { return nil }
    while unpacked.count <= most {
        guard let more = try? stream.next(1 << 16) else { return nil }
        if more.isEmpty { return stream.warning == nil ? unpacked : nil }
        unpacked += more
    }
    return nil
}
