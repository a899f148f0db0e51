import Foundation
import HealthKit

/// A clock that goes by itself, faster or slower than the machine's.
struct FastTime: TimeSource {
    private let speed: Double
    private let start = Date()
    private let machine = SystemTime()
    private let uptimeAtStart: Double

    init(_ speed: Double) {
        self.speed = speed
        uptimeAtStart = machine.uptimeInSeconds
    }

    private var elapsed: Double { (machine.uptimeInSeconds - uptimeAtStart) * speed }

    func now() -> Date { start + elapsed }

    var isApart: Bool { true }

    /// A date before the world began, or still to come for the machine, is no reading of its clock.
    func date(atWall wall: Date) -> Date {
        guard wall >= start, wall <= Date() else { return wall }
        return start + min(wall.timeIntervalSince(start) * speed, elapsed)
    }

    func sleep(until date: Date) async throws {
        let seconds = date.timeIntervalSince(now()) / speed
        guard seconds > 0 else { return try Task.checkCancellation() }
        try await Task.sleep(for: .seconds(seconds))
    }
}
