import Synchronization

/// Remembers the collection before, to tell what has changed.
final class LatestCollection: Sendable {
    private let latest = Mutex<HKStatisticsCollection?>(nil)

    /// Nil for the first collection.
    func changes(to collection: HKStatisticsCollection) -> [HKStatistics]? {
        let older = latest.withLock { latest in
            defer { latest = collection }
            return latest
        }
        return older.map(collection.changes)
    }
}
