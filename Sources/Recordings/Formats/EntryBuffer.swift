import SessionLog

/// Entries that were read ahead, first in, first out.
///
/// They move in and out: an array would copy each, which costs a count of references twice. Not for two threads.
final class EntryBuffer {
    /// Sources read no further ahead than this: so many entries stay in the nearest cache.
    private static let enough = 128

    private var room = UnsafeMutablePointer<SessionEntry>.allocate(capacity: enough + 16)
    private var capacity = enough + 16
    /// What of `room` is entries.
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

    /// Nil where none is left.
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

/// What makes entries, some at a time.
protocol EntrySource: SendableMetatype {
    /// Appends the next entries: one at least, and when the buffer is full no more than belong to what was read. None at the
    /// end.
    mutating func read(into entries: EntryBuffer) throws(RecordingError)
}
