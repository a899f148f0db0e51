import SessionLog

/// A queue of entries that were read ahead.
///
/// Entries are moved in and out, because an array would copy each one and so update its reference counts twice. It must
/// not be used by two threads.
final class EntryBuffer {
    /// Sources stop reading ahead at this many entries, which fit into the nearest cache.
    private static let enough = 128

    private var room = UnsafeMutablePointer<SessionEntry>.allocate(capacity: enough + 16)
    private var capacity = enough + 16
    /// The range of `room` that holds entries.
    private var first = 0
    private var end = 0

    deinit {
        (room + first).deinitialize(count: end - first)
        room.deallocate()
    }

    var isEmpty: Bool { first == end }
    var isFull: Bool { end - first >= Self.enough }

    @inline(__always)
    func append(_ entry: consuming SessionEntry) {
        if end == capacity { makeRoom() }
        (room + end).initialize(to: entry)
        end += 1
    }

    /// Returns nil if the queue is empty.
    @inline(__always)
    func next() -> SessionEntry? {
        guard first < end else { return nil }
        let entry = (room + first).move()
        first += 1
        if first == end {
            first = 0
            end = 0
        }
        return entry
    }

    private func makeRoom() {
        let count = end - first
        let larger = UnsafeMutablePointer<SessionEntry>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: room + first, count: count)
        room.deallocate()
        room = larger
        capacity *= 2
        first = 0
        end = count
    }
}

/// A source that makes entries in batches.
protocol EntrySource: SendableMetatype {
    /// Appends the next entries: at least one, and once the buffer is full only those that belong to what was already
    /// read. At the end it appends none.
    mutating func read(into entries: EntryBuffer) throws(RecordingError)
}
