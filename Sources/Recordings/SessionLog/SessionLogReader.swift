import SessionLog

/// Reads the entries of a session log in the order of the file.
struct SessionLogReader: ~Copyable {
    private let bytes: RecordingBytes
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    private var decoder = SessionLogDecoder()
    private var ready: [SessionEntry] = []
    private var handedOut = 0
    private var isOver = false
    /// The number of bytes read so far.
    private(set) var size = 0

    init(_ bytes: RecordingBytes) { self.bytes = bytes }

    deinit { room.deallocate() }

    var warnings: [RecordingWarning] { decoder.warnings }

    /// Returns nil at the end.
    mutating func next() throws(RecordingError) -> SessionEntry? {
        while handedOut == ready.count {
            if isOver { return nil }
            ready.removeAll(keepingCapacity: true)
            handedOut = 0
            try decode(bytes.read(into: room))
        }
        handedOut += 1
        return ready[handedOut - 1]
    }

    private mutating func decode(_ count: Int) throws(RecordingError) {
        size += count
        do throws(SessionLogError) {
            if count > 0 {
                try decoder.decode(UnsafeBufferPointer(rebasing: room[..<count]).span.bytes, into: &ready)
            } else {
                isOver = true
                try decoder.finish(into: &ready)
            }
        } catch {
            var place = 0
            if case .newerVersion(_, _, let byte) = error { place = byte }
            throw .invalid(path: bytes.path, byte: place, reason: error.description)
        }
    }
}
