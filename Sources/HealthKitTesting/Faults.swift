import HealthKit
import Synchronization

/// What goes wrong in a world's store.
final class Faults: Sendable {
    let isFull = Atomic(false)
    let saves = Mutex<[HKError.Code]>([])
    let queries = Mutex<[HKError.Code]>([])

    func checkSaving() throws {
        if isFull.load(ordering: .relaxed) {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The health store cannot be written: the disk is full (a fault of the test's world). Make room and try again."
            )
        }
        if let code = saves.withLock({ $0.popLast() }) {
            throw HKError.make(code, "Saving has failed: a fault of the test's world.")
        }
    }

    func checkReading() throws {
        if let code = queries.withLock({ $0.popLast() }) {
            throw HKError.make(code, "The query has failed: a fault of the test's world.")
        }
    }
}
