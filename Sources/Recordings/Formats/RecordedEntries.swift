public import SessionLog
import Synchronization

/// The entries of a recorded workout, read as they are asked for, and anew each time: memory does not grow with the
/// recording.
///
/// A sequence cannot throw. One that ended before the recording did says so in ``failure``, which whoever comes to the end
/// asks for.
public struct RecordedEntries: Sequence, Sendable {
    private let begin: @Sendable () -> Iterator
    private let fault: Fault

    /// Entries that are held in memory, or made of what is.
    public init(_ entries: some Sequence<SessionEntry> & Sendable) {
        begin = {
            var iterator = entries.makeIterator()
            return Iterator { buffer in
                while !buffer.isFull, let entry = iterator.next() { buffer.append(entry) }
            }
        }
        fault = Fault()
    }

    /// Entries that are read from a file.
    ///
    /// - Parameter begin: Begins to read, each time anew. What it gives back gives the next entry, and nil at the end.
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

    /// - Parameter begin: Begins to read, each time anew.
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
                    // Those that were read before it are handed out first.
                    if let error, buffer.isEmpty { fault.notify(error) }
                }
            } catch {
                fault.notify(error)
                return Iterator { _ in }
            }
        }
    }

    /// Where an iterator says why it ended early.
    private final class Fault: Sendable {
        private let error = Mutex<RecordingError?>(nil)

        var value: RecordingError? { error.withLock { $0 } }

        func notify(_ new: RecordingError) { error.withLock { $0 = $0 ?? new } }
    }

    /// Of its own type, and not an `AnyIterator`: that hands an entry on three times.
    public struct Iterator: IteratorProtocol {
        private let buffer = EntryBuffer()
        private let readOn: (EntryBuffer) -> Void

        fileprivate init(_ readOn: @escaping (EntryBuffer) -> Void) { self.readOn = readOn }

        /// The next entry; nil at the end, and where reading failed: ``RecordedEntries/failure`` says which.
        public func next() -> SessionEntry? {
            if let entry = buffer.next() { return entry }
            readOn(buffer)
            return buffer.next()
        }
    }

    /// Calls `body` with each entry, from the first one on, as long as it returns true.
    ///
    /// A loop in another module counts the references of its iterator with each entry; this one does not.
    package func forEach(while body: (SessionEntry) throws -> Bool) rethrows {
        let iterator = begin()
        while let entry = iterator.next(), try body(entry) {}
    }

    /// Begins to read, from the first entry on, however often it was read before.
    public func makeIterator() -> Iterator { begin() }

    /// Why an iteration ended before the recording; nil as long as none did.
    public var failure: RecordingError? { fault.value }

    /// The first entry, read anew; nil where there is none.
    public var first: SessionEntry? { first { _ in true } }
    /// Whether there is no entry; reads one.
    public var isEmpty: Bool { first == nil }

    /// With others in the place of an entry; nil leaves it as it is.
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
