import SessionLog

/// The bytes of a stream. A gzip file is unpacked while it is read, so that memory does not grow with the file.
///
/// If a packed file is damaged, the stream ends there and `warning` reports where. It must not be used by two threads.
final class UnpackedStream: ByteStream {
    /// The warning if the stream ended before the file did; otherwise nil.
    private(set) var warning: RecordingWarning?
    private let path: String
    private let note: (RecordingWarning) -> Void
    private let stream: any ByteStream
    /// The number of bytes read from the stream.
    private var offset = 0
    private var gunzip: Gunzip?
    private var unpacked = 0
    /// Bytes that were examined but not yet read.
    private var seen: ArraySlice<UInt8>

    /// Deflate packs up to a thousand zeros into a byte; real recordings reach 40.
    static let maximumRatio = 200
    /// This many bytes are unpacked regardless of the file's size.
    static let freeSize = 64 << 20
    static let maximumUnpackedSize = 8 << 30

    /// - Parameter note: Receives the `warning`.
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

    /// Whether gzip packed the file.
    var isPacked: Bool { gunzip != nil }

    /// The packed size of a packed file.
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

/// Returns the unpacked bytes of a gzip file in memory. Returns nil if it is not one, is damaged, or unpacks to more
/// than `most` bytes.
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
