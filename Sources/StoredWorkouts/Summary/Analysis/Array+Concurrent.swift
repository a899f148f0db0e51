import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// Maps the elements on all processors, in their order: for work that reads thousands of samples for each of thousands of
    /// workouts. Throws the error of the first element that fails.
    func concurrentMap<Made: Sendable>(_ body: @Sendable (Element) throws -> Made) throws -> [Made] {
        let results = Mutex([Result<Made, any Error>?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try body(self[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { try $0.compactMap { try $0?.get() } }
    }
}
