public import HealthKit
import Synchronization

extension HealthKitWorld {
    /// Whether the disk is full: everything that is saved fails with `HKError.Code.errorDatabaseInaccessible`, until it is not.
    public var storeIsFull: Bool {
        get { faults.isFull.load(ordering: .relaxed) }
        set { faults.isFull.store(newValue, ordering: .relaxed) }
    }

    /// Has the next save fail, or so many: of objects, of a finished workout, of a route.
    public func failSaves(_ count: Int = 1, with code: HKError.Code = .errorDatabaseInaccessible) {
        faults.saves.withLock { $0 = Array(repeating: code, count: max(count, 0)) }
    }

    /// Has the next query fail, or so many: each look of a query into the store counts.
    public func failQueries(_ count: Int = 1, with code: HKError.Code = .errorDatabaseInaccessible) {
        faults.queries.withLock { $0 = Array(repeating: code, count: max(count, 0)) }
    }
}
