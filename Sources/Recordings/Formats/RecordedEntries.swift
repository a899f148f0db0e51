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
            return Iterator { iterator.next() }
        }
        fault = Fault()
    }

    /// - Parameter begin: Begins to read; gets what to tell when that fails later.
    init(_ begin: @escaping @Sendable (Fault) -> Iterator) {
        let fault = Fault()
        self.begin = { begin(fault) }
        self.fault = fault
    }

    /// Entries that are read from a file.
    ///
    /// - Parameter begin: Begins to read, each time anew. What it gives back gives the next entry, and nil at the end.
    public init(
        reading begin: @escaping @Sendable () throws(RecordingError) -> (() throws(RecordingError) -> SessionEntry?)
    ) {
        self.init { fault in
            do throws(RecordingError) {
                let next = try begin()
                return Iterator {
                    do throws(RecordingError) { return try next() } catch { fault.tell(error) }
                    return nil
                }
            } catch {
                fault.tell(error)
                return Iterator { nil }
            }
        }
    }

    /// Where an iterator says why it ended early.
    final class Fault: Sendable {
        private let error = Mutex<RecordingError?>(nil)

        var value: RecordingError? { error.withLock { $0 } }

        func tell(_ new: RecordingError) { error.withLock { $0 = $0 ?? new } }
    }

    /// Of its own type, and not an `AnyIterator`: that hands an entry on three times.
    public struct Iterator: IteratorProtocol {
        private let give: () -> SessionEntry?

        init(_ give: @escaping () -> SessionEntry?) { self.give = give }

        public func next() -> SessionEntry? { give() }
    }

    public func makeIterator() -> Iterator { begin() }

    /// Why an iteration ended before the recording; nil as long as none did.
    public var failure: RecordingError? { fault.value }

    public var first: SessionEntry? { first { _ in true } }
    public var isEmpty: Bool { first == nil }

    /// Each entry followed by others that are made of it.
    func following(_ others: @escaping @Sendable (SessionEntry) -> [SessionEntry]) -> RecordedEntries {
        RecordedEntries(
            begin: { [begin] in
                let source = begin()
                var waiting: [SessionEntry] = []
                return Iterator {
                    if let next = waiting.popLast() { return next }
                    guard let entry = source.next() else { return nil }
                    waiting = others(entry).reversed()
                    return entry
                }
            }, fault: fault)
    }

    private init(begin: @escaping @Sendable () -> Iterator, fault: Fault) {
        self.begin = begin
        self.fault = fault
    }
}
