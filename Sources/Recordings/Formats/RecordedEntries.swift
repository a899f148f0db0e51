public import SessionLog
import Synchronization

/// The entries of a recorded workout, read when they are needed and again for each iteration. Memory does not grow with
/// the recording.
///
/// A sequence cannot throw. After an iteration, check ``failure``: it is set if the iteration ended before the
/// recording did.
public struct RecordedEntries: Sequence, Sendable {
    private let begin: @Sendable () -> Iterator
    private let fault: Fault

    /// Creates the sequence from entries in memory, or from a sequence that makes them.
    public init(_ entries: some Sequence<SessionEntry> & Sendable) {
        begin = {
            var iterator = entries.makeIterator()
            return Iterator { buffer in
                while !buffer.isFull, let entry = iterator.next() { buffer.append(entry) }
            }
        }
        fault = Fault()
    }

    /// Creates the sequence from entries in a file.
    ///
    /// - Parameter begin: Begins a new reading. The function that it returns gives the next entry, and nil at the end.
    public init(
        reading begin: @escaping @Sendable () throws(RecordingError) -> (() throws(RecordingError) -> SessionEntry?)
    ) {
        self.init(source: { () throws(RecordingError) in OneByOne(next: try begin()) })
    }

    private struct OneByOne: EntrySource {
        let next: () throws(RecordingError) -> SessionEntry?

        func read(into entries: EntryBuffer) throws(RecordingError) {
            if let entry = try next() { entries.append(entry) }
        }
    }

    /// - Parameter begin: Begins a new reading.
    init(source begin: @escaping @Sendable () throws(RecordingError) -> some EntrySource) {
        let fault = Fault()
        self.fault = fault
        self.begin = {
            var error: RecordingError?
            do throws(RecordingError) {
                var source = try begin()
                return Iterator { buffer in
                    if error == nil {
                        do throws(RecordingError) { try source.read(into: buffer) } catch let new { error = new }
                    }
                    // Entries read before the error are returned first.
                    if let error, buffer.isEmpty { fault.notify(error) }
                }
            } catch {
                fault.notify(error)
                return Iterator { _ in }
            }
        }
    }

    /// Holds the error that ended an iteration early.
    private final class Fault: Sendable {
        private let error = Mutex<RecordingError?>(nil)

        var value: RecordingError? { error.withLock { $0 } }

        func notify(_ new: RecordingError) { error.withLock { $0 = $0 ?? new } }
    }

    /// A type of its own instead of `AnyIterator`, which would pass each entry on three times.
    public struct Iterator: IteratorProtocol {
        private let buffer = EntryBuffer()
        private let readOn: (EntryBuffer) -> Void

        fileprivate init(_ readOn: @escaping (EntryBuffer) -> Void) { self.readOn = readOn }

        /// Returns the next entry, or nil at the end and after an error. ``RecordedEntries/failure`` shows which.
        public func next() -> SessionEntry? {
            if let entry = buffer.next() { return entry }
            readOn(buffer)
            return buffer.next()
        }
    }

    /// Calls `body` with each entry from the first one on, as long as it returns true.
    ///
    /// It is faster than a loop in another module, which updates the reference count of its iterator for each entry.
    package func forEach(while body: (SessionEntry) throws -> Bool) rethrows {
        let iterator = begin()
        while let entry = iterator.next(), try body(entry) {}
    }

    /// Begins a new reading from the first entry on.
    public func makeIterator() -> Iterator { begin() }

    /// The error that ended an iteration before the recording did. Nil if there was none.
    public var failure: RecordingError? { fault.value }

    /// The first entry, read again. Nil if there is none.
    public var first: SessionEntry? { first { _ in true } }
    /// Whether there are no entries. It reads one entry.
    public var isEmpty: Bool { first == nil }

    /// Returns the sequence with other entries in place of each entry; nil keeps the entry.
    func replacing(_ others: @escaping @Sendable (SessionEntry) -> [SessionEntry]?) -> RecordedEntries {
        RecordedEntries(
            begin: { [begin] in
                let source = begin()
                return Iterator { buffer in
                    while !buffer.isFull, let entry = source.next() {
                        if let others = others(entry) {
                            for other in others { buffer.append(other) }
                        } else {
                            buffer.append(entry)
                        }
                    }
                }
            }, fault: fault)
    }

    private init(begin: @escaping @Sendable () -> Iterator, fault: Fault) {
        self.begin = begin
        self.fault = fault
    }
}
