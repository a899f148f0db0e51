/// What happens on a link, from whoever hears it to the one who reads it: the events of every ``PeripheralLink``.
///
/// A reader may be late by ``capacity`` events. Where it is later still, the oldest that wait are dropped, since what a sensor
/// says now is worth more than what it said then, and ``LinkEvent/missed(_:_:)`` stands in their place and counts them. The end
/// is never dropped, and nothing comes behind it.
public final class LinkEventStream: AsyncSequence, Sendable {
    public typealias Element = LinkEvent
    public typealias Failure = Never

    /// More than an hour of a strap's values.
    public static let capacity = 4096

    private let events = Mailbox<LinkEvent>(.init(capacity: capacity) { .missed($0, $1.date) })

    public init() {}

    public func yield(_ event: LinkEvent) {
        if case .ended = event { events.finish(with: event) } else { events.yield(event) }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// Ends behind the end, and in a task that is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: LinkEventStream

        public mutating func next(isolation actor: isolated (any Actor)?) async -> LinkEvent? {
            await stream.events.next(isolation: actor)
        }

        public mutating func next() async -> LinkEvent? { await next(isolation: nil) }
    }
}
