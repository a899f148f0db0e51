import Synchronization

/// From those who tell to the one who reads, in order.
///
/// Whoever tells is not kept waiting, and the reader goes on where it is isolated to: from one thread to the other, at once.
/// An `AsyncStream` wakes a thread of the tasks' pool before and after each element besides.
package final class Mailbox<Element: Sendable>: Sendable {
    /// What becomes of what a reader is too late for: the oldest that waits is dropped, and something stands in its place.
    package struct Overflow: Sendable {
        /// So many elements wait.
        let capacity: Int
        /// What is read in place of so many elements, of which the first was this.
        let missed: @Sendable (Int, Element) -> Element
    }

    private struct State {
        var reader: CheckedContinuation<Element?, Never>?
        /// In order; what stands before `next` has been read.
        var elements: [Element] = []
        var next = 0
        var missed: (count: Int, first: Element)?
        var isFinished = false

        var isEmpty: Bool { next == elements.count && missed == nil }

        mutating func pop(_ overflow: Overflow?) -> Element? {
            if let (count, first) = missed {
                missed = nil
                return overflow?.missed(count, first)
            }
            return next < elements.count ? popFirst() : nil
        }

        mutating func push(_ element: Element, _ overflow: Overflow?) {
            if let overflow, elements.count - next >= overflow.capacity {
                let oldest = popFirst()
                missed = ((missed?.count ?? 0) + 1, missed?.first ?? oldest)
            }
            elements.append(element)
        }

        private mutating func popFirst() -> Element {
            defer {
                next += 1
                if next == elements.count || next > 1024 {
                    elements.removeFirst(next)
                    next = 0
                }
            }
            return elements[next]
        }
    }

    private let overflow: Overflow?
    private let state = Mutex(State())

    /// - Parameter overflow: Nil: as much waits as there is.
    package init(_ overflow: Overflow? = nil) {
        self.overflow = overflow
    }

    package func yield(_ element: Element) { push(element, isLast: false) }

    /// Nothing comes behind it.
    package func finish(with last: Element? = nil) { push(last, isLast: true) }

    private func push(_ element: Element?, isLast: Bool) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            state.isFinished = isLast
            if let reader = state.reader.take() { return reader }
            if let element { state.push(element, overflow) }
            return nil
        }
        reader?.resume(returning: element)
    }

    /// The next element; nil behind the last one, and in a task that is cancelled. One reader at a time.
    package func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let (isDecided, element) = state.withLock { state -> (Bool, Element?) in
                    if Task.isCancelled { return (true, nil) }
                    if !state.isEmpty || state.isFinished { return (true, state.pop(overflow)) }
                    // Whoever came before has gone.
                    state.reader?.resume(returning: nil)
                    state.reader = continuation
                    return (false, nil)
                }
                if isDecided { continuation.resume(returning: element) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }
}
