/// The events of a ``PeripheralLink``, as a sequence for one reader.
///
/// Up to ``capacity`` events wait for the reader. Beyond that the oldest ones are dropped, because new values of a
/// sensor matter more; ``LinkEvent/missed(_:_:)`` replaces and counts them. The end is never dropped, and is the last
/// element.
public final class LinkEventStream: AsyncSequence, Sendable {
    public typealias Element = LinkEvent
    public typealias Failure = Never

    /// Enough for more than an hour of a strap's values.
    public static let capacity = 4096

    private let events = Mailbox<LinkEvent>(.init(capacity: capacity) { .missed($0, $1.date) })

    public init() {}

    public func yield(_ event: LinkEvent) {
        if case .ended = event { events.finish(with: event) } else { events.yield(event) }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// Nil after the end, and in a cancelled task.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: LinkEventStream

        public mutating func next(isolation actor: isolated (any Actor)?) async -> LinkEvent? {
            await stream.events.next(isolation: actor)
        }

        public mutating func next() async -> LinkEvent? { await next(isolation: nil) }
    }
}
