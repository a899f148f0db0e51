import Dispatch
import Synchronization

/// Saves batches on a thread of its own: one is saved while the next is read.
final class MergeQueue: Sendable {
    private let database: SQLiteHealthDatabase
    private let queue = DispatchQueue(label: "HealthKit.import")
    private let room = DispatchSemaphore(value: 1)
    private let own = Mutex(ImportedSequences())
    private let outcome = Mutex<Result<[String: HealthImportSummary.Count], any Error>>(.success([:]))

    init(_ database: SQLiteHealthDatabase) {
        self.database = database
    }

    /// Waits until the batch before is saved. Throws what went wrong with an earlier one.
    func add(_ batch: ImportBatch) throws {
        room.wait()
        guard case .success = outcome.withLock({ $0 }) else {
            room.signal()
            return _ = try counts()
        }
        queue.async { [self] in
            defer { room.signal() }
            do {
                let counts = try own.withLock { try database.merge(batch, own: &$0) }
                outcome.withLock { outcome in
                    outcome = outcome.map { $0.merging(counts) { $0.plus($1) } }
                }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
    }

    /// Counts by type identifier, when everything is saved.
    func finish() throws -> [String: HealthImportSummary.Count] {
        queue.sync {}
        return try counts()
    }

    private func counts() throws -> [String: HealthImportSummary.Count] { try outcome.withLock { $0 }.get() }
}

extension HealthImportSummary.Count {
    fileprivate func plus(_ other: Self) -> Self {
        var sum = self
        sum += other
        return sum
    }
}
