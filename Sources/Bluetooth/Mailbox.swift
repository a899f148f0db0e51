import Synchronization

/// An ordered queue from several writers to one reader.
///
/// Writers never wait, and the reader resumes on its own executor directly. An `AsyncStream` would also wake a thread
/// of the global pool for each element.
package final class Mailbox<Element: Sendable>: Sendable {
    /// If the reader is too slow, the oldest waiting element is dropped and replaced by a summary.
    package struct Overflow: Sendable {
        /// The largest number of waiting elements.
        let capacity: Int
        /// Makes the summary of dropped elements from their number and the first one.
        let missed: @Sendable (Int, Element) -> Element
    }

    private struct State {
        var reader: (number: Int, continuation: CheckedContinuation<Element?, Never>)?
        /// The elements in order. Those before `next` have been read.
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
    private let readers = Atomic(0)

    /// - Parameter overflow: Nil for no limit.
    package init(_ overflow: Overflow? = nil) {
        self.overflow = overflow
    }

    package func yield(_ element: Element) { push(element, isLast: false) }

    /// Finishes the queue; `last` is the last element.
    package func finish(with last: Element? = nil) { push(last, isLast: true) }

    private func push(_ element: Element?, isLast: Bool) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            state.isFinished = isLast
            if let reader = state.reader.take() { return reader.continuation }
            if let element { state.push(element, overflow) }
            return nil
        }
        reader?.resume(returning: element)
    }

    /// The next element; nil after the last one, and in a cancelled task. One reader at a time.
    package func next(isolation actor: isolated (any Actor)?) async -> Element? {
        let number = readers.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let (done, element) = state.withLock { state -> (CheckedContinuation<Element?, Never>?, Element?) in
                    if Task.isCancelled { return (continuation, nil) }
                    if !state.isEmpty || state.isFinished { return (continuation, state.pop(overflow)) }
                    // The earlier reader is gone.
                    defer { state.reader = (number, continuation) }
                    return (state.reader?.continuation, nil)
                }
                done?.resume(returning: element)
            }
        } onCancel: {
            let reader = state.withLock { $0.reader?.number == number ? $0.reader.take() : nil }
            reader?.continuation.resume(returning: nil)
        }
    }
}
