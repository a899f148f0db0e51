import Dispatch
import Synchronization

/// Saves batches on its own thread: one is saved while the next is read.
final class MergeQueue: Sendable {
    private let database: any HealthDatabase
    private let queue = DispatchQueue(label: "HealthKit.import")
    private let room = DispatchSemaphore(value: 1)
    private let isEnded = Atomic(false)
    private let own = Mutex(ImportedSequences())
    private let outcome = Mutex<Result<[String: ImportCount], any Error>>(.success([:]))

    init(_ database: any HealthDatabase) {
        self.database = database
    }

    /// Waits until the previous batch is saved. Throws the error of an earlier one. Once `isCancelled` returns true,
    /// nothing more is saved, and the present save is interrupted.
    func add(_ batch: ImportBatch, isCancelled: () -> Bool) throws {
        wait(isCancelled)
        guard case .success = outcome.withLock({ $0 }) else {
            room.signal()
            return _ = try counts()
        }
        queue.async { [self] in
            defer { room.signal() }
            do {
                let counts = try own.withLock {
                    try database.merge(batch, own: &$0) { [self] in isEnded.load(ordering: .relaxed) }
                }
                outcome.withLock { outcome in
                    outcome = outcome.map { $0.merging(counts) { $0.plus($1) } }
                }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
    }

    /// Waits until everything is saved. Returns the counts by type identifier.
    func finish(isCancelled: () -> Bool) throws -> [String: ImportCount] {
        wait(isCancelled)
        room.signal()
        return try counts()
    }

    private func wait(_ isCancelled: () -> Bool) {
        repeat {
            if isCancelled() { isEnded.store(true, ordering: .relaxed) }
        } while room.wait(timeout: .now() + .milliseconds(50)) == .timedOut
    }

    private func counts() throws -> [String: ImportCount] { try outcome.withLock { $0 }.get() }
}

extension ImportCount {
    fileprivate func plus(_ other: Self) -> Self {
        var sum = self
        sum += other
        return sum
    }
}
