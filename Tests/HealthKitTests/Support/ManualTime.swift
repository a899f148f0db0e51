import Engine
import Foundation
import HealthKit
import Synchronization

/// A clock whose hands the test turns; who sleeps turns them itself, so nothing ever waits.
final class ManualTime: TimeSource {
    private let date: Mutex<Date>
    /// By how much the wall clock was set forward.
    private let aheadInSeconds = Mutex(0.0)

    init(_ start: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) {
        date = Mutex(start)
    }

    func now() -> Date { date.withLock { $0 } + aheadInSeconds.withLock { $0 } }

    var uptimeInSeconds: Double { date.withLock { $0 }.timeIntervalSinceReferenceDate }

    func reading() -> (wall: Date, uptimeInSeconds: Double) {
        let date = date.withLock { $0 }
        return (date + aheadInSeconds.withLock { $0 }, date.timeIntervalSinceReferenceDate)
    }

    /// Somebody sets the wall clock.
    func set(by seconds: Double) { aheadInSeconds.withLock { $0 += seconds } }

    func sleep(until wake: Date) async throws {
        try Task.checkCancellation()
        // A little late, as real sleepers wake, and off the round numbers that recordings are dated with.
        let ahead = aheadInSeconds.withLock { $0 }
        date.withLock { $0 = max($0, wake - ahead + 0.000_137) }
    }

    func advance(by seconds: TimeInterval) {
        date.withLock { $0 += seconds }
    }
}
