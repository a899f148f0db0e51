import Synchronization

/// The values that were made last. Exercises are in order of time, so few are needed, and all of them may take a gigabyte.
final class LatestValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private let most: Int
    private let latest = Mutex<[(key: Key, value: Value)]>([])

    /// - Parameter most: How many are kept.
    init(_ most: Int) { self.most = most }

    /// Returns the value of a key, which `make` makes if it is not kept.
    func value(of key: Key, _ make: () -> Value) -> Value {
        if let known = latest.withLock({ $0.first { $0.key == key } }) { return known.value }
        let value = make()
        latest.withLock { $0 = ($0 + [(key, value)]).suffix(most) }
        return value
    }
}
