/// A channel's events as an asynchronous sequence.
///
/// One consumer. Nothing is dropped: an entry counts as received when the consumer asks for the next event, and reading
/// from the network stops while ``MirrorLimits/window`` bytes wait. Ends when the channel is closed, or when its last
/// peer ended. When the consumer goes away, the channel is closed.
public struct MirrorEvents: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
        public mutating func next() async -> MirrorEvent? { nil }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
