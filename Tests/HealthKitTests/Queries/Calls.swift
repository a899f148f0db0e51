/// The arguments of a handler's calls, in order, for a test that waits for them.
final class Calls<Value: Sendable>: Sendable {
    private let stream = AsyncStream.makeStream(of: Value.self)

    func add(_ value: Value) {
        stream.continuation.yield(value)
    }

    /// The next one that was not read yet.
    func next() async -> Value? {
        for await value in stream.stream { return value }
        return nil
    }
}
