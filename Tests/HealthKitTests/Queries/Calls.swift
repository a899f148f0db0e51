/// What a handler was called with, in order, for one who waits.
final class Calls<Value: Sendable>: Sendable {
    private let stream = AsyncStream.makeStream(of: Value.self)

    func add(_ value: Value) {
        stream.continuation.yield(value)
    }

    /// The next one that was not taken yet.
    func next() async -> Value? {
        for await value in stream.stream { return value }
        return nil
    }
}
