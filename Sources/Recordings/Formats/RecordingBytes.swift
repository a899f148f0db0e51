public import SessionLog

/// The bytes of a recording from their start to their end; those of a gzip file unpacked as they are read, so that memory does
/// not grow with the file, and text in UTF-16 as UTF-8.
///
/// What follows once a packed file cannot be unpacked any more is missing; `warning` says where. Not for two threads.
public final class RecordingBytes {
    /// The file, for messages.
    public let path: String
    let stream: UTF16Stream
    private let unpacked: UnpackedStream

    /// - Parameter note: Gets the `warning`.
    init(_ stream: any ByteStream, path: String, note: @escaping (RecordingWarning) -> Void) throws(RecordingError) {
        self.path = path
        do throws(ByteStreamFault) {
            unpacked = try UnpackedStream(stream, path: path, note: note)
            self.stream = UTF16Stream(unpacked)
        } catch { throw RecordingError(error) }
    }

    /// What was read is not all that the file held; nil as long as it is.
    public var warning: RecordingWarning? { unpacked.warning }

    /// Whether the file is packed by gzip.
    public var isPacked: Bool { unpacked.isPacked }

    /// How many bytes there are in all: of a packed file, when it was read.
    func count() throws(RecordingError) -> Int {
        guard isPacked else { return stream.size }
        var count = 0
        try forEach { count += $0.count }
        return count
    }

    /// Reads all that is left, piece by piece.
    public func forEach(
        _ body: (UnsafeBufferPointer<UInt8>) throws(RecordingError) -> Void
    ) throws(RecordingError) {
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
        do throws(ByteStreamFault) { return try stream.start(count) } catch { throw RecordingError(error) }
    }

    /// Leaves out the next bytes.
    func skip(_ count: Int) throws(RecordingError) {
        guard count > 0 else { return }
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: min(count, Self.pieceSize))
        defer { room.deallocate() }
        var left = count
        while left > 0 {
            let more = try read(into: UnsafeMutableBufferPointer(rebasing: room[..<min(left, room.count)]))
            if more == 0 { return }
            left -= more
        }
    }

    /// Puts the next bytes into the buffer and says how many; 0 only at the end.
    public func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(RecordingError) -> Int {
        do throws(ByteStreamFault) { return try stream.read(into: buffer) } catch { throw RecordingError(error) }
    }
}
