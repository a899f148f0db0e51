import Synchronization

/// A channel's events as an asynchronous sequence for one consumer.
///
/// Nothing is dropped. An entry counts as received when the consumer requests the next event, and reading from the
/// network stops while ``MirrorLimits/window`` bytes wait. The sequence ends when the channel is closed, when its last
/// peer has ended, or when the consumer's task is cancelled. In the last case, the channel stays open until it is
/// closed.
public struct MirrorEvents: AsyncSequence, Sendable {
    public typealias Element = MirrorEvent
    public typealias Failure = Never

    private let queue = EventQueue()

    init() {}

    var delivery: MirrorDelivery {
        MirrorDelivery(hand: { [queue] in queue.push($0, $1) }, finish: { [queue] in queue.finish() })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: EventQueue

        public mutating func next() async -> MirrorEvent? { await queue.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue) }
}

/// Events between the network thread and one consumer.
private final class EventQueue: Sendable {
    private struct State {
        var waiting: [(event: MirrorEvent, done: (@Sendable () -> Void)?)] = []
        var head = 0
        /// The completion of the event that the consumer has now.
        var done: (@Sendable () -> Void)?
        var consumer: CheckedContinuation<MirrorEvent?, Never>?
        var isFinished = false

        mutating func pop() -> MirrorEvent? {
            guard head < waiting.count else { return nil }
            let (event, done) = waiting[head]
            head += 1
            if head == waiting.count {
                waiting.removeAll(keepingCapacity: waiting.count < 64)
                head = 0
            }
            self.done = done
            return event
        }
    }

    private let state = Mutex(State())

    func push(_ event: MirrorEvent, _ done: (@Sendable () -> Void)?) {
        let consumer = state.withLock { state -> CheckedContinuation<MirrorEvent?, Never>? in
            guard let consumer = state.consumer else {
                state.waiting.append((event, done))
                return nil
            }
            state.consumer = nil
            state.done = done
            return consumer
        }
        consumer?.resume(returning: event)
    }

    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume(returning: nil)
    }

    func next() async -> MirrorEvent? {
        state.withLock { $0.done.take() }?()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> MirrorEvent?? in
                    if let event = state.pop() { return .some(event) }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.consumer = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            let consumer = state.withLock { $0.consumer.take() }
            consumer?.resume(returning: nil)
        }
    }
}
