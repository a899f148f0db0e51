import Foundation
import HealthKit
import Synchronization

/// A clock whose hands the test turns; who sleeps turns them itself, so nothing ever waits.
final class ManualTime: TimeSource {
    private let date: Mutex<Date>

    init(_ start: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) {
        date = Mutex(start)
    }

    func now() -> Date { date.withLock { $0 } }

    func sleep(until wake: Date) async throws {
        try Task.checkCancellation()
        // A little late, as real sleepers wake, and off the round numbers that recordings are dated with.
        date.withLock { $0 = max($0, wake + 0.000_137) }
    }

    func advance(by seconds: TimeInterval) {
        date.withLock { $0 += seconds }
    }
}
