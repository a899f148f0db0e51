import Engine
import Foundation
import HealthKit
import Synchronization

/// A clock that the test advances. A task that sleeps advances it itself, so nothing ever waits.
final class ManualTime: TimeSource {
    private let date: Mutex<Date>
    /// The seconds by which the wall clock was set forward.
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

    /// Sets the wall clock, as a user does.
    func set(by seconds: Double) { aheadInSeconds.withLock { $0 += seconds } }

    func sleep(until wake: Date) async throws {
        try Task.checkCancellation()
        // Slightly late, as real tasks wake, and off the round dates of recordings.
        let ahead = aheadInSeconds.withLock { $0 }
        date.withLock { $0 = max($0, wake - ahead + 0.000_137) }
    }

    func advance(by seconds: TimeInterval) {
        date.withLock { $0 += seconds }
    }
}
