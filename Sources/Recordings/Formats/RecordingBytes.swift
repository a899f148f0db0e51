public import SessionLog

/// The bytes of a recording from start to end. A gzip file is unpacked while it is read, so that memory does not grow
/// with the file, and UTF-16 text becomes UTF-8.
///
/// If a packed file is damaged, the bytes end there and `warning` reports where. It must not be used by two threads.
public final class RecordingBytes {
    /// The path of the file, for messages.
    public let path: String
    let stream: UTF16Stream
    private let unpacked: UnpackedStream

    /// - Parameter note: Receives the `warning`.
    init(_ stream: any ByteStream, path: String, note: @escaping (RecordingWarning) -> Void) throws(RecordingError) {
        self.path = path
        do throws(ByteStreamFault) {
            unpacked = try UnpackedStream(stream, path: path, note: note)
            self.stream = UTF16Stream(unpacked)
        } catch { throw RecordingError(error) }
    }

    /// The warning if the bytes ended before the file did; otherwise nil.
    public var warning: RecordingWarning? { unpacked.warning }

    /// Whether gzip packed the file.
    public var isPacked: Bool { unpacked.isPacked }

    /// Returns the total number of bytes. For a packed file, it reads all of them.
    func count() throws(RecordingError) -> Int {
        guard isPacked else { return stream.size }
        var count = 0
        try forEach { count += $0.count }
        return count
    }

    /// Reads the remaining bytes in pieces.
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

    /// Returns the first bytes without consuming them.
    func start(_ count: Int) throws(RecordingError) -> [UInt8] {
        do throws(ByteStreamFault) { return try stream.start(count) } catch { throw RecordingError(error) }
    }

    /// Skips the next bytes.
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

    /// Reads the next bytes into the buffer and returns their number. It is 0 only at the end.
    public func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(RecordingError) -> Int {
        do throws(ByteStreamFault) { return try stream.read(into: buffer) } catch { throw RecordingError(error) }
    }
}
