import Foundation
import HealthKit
import Recordings

/// Says in the live view that the machine's clock was set: what is recorded goes on in the time that it had before.
final class ClockNotices: SessionLogSink {
    private let notices: LiveNotices

    init(_ notices: LiveNotices) {
        self.notices = notices
    }

    func append(_ entry: SessionEntry) {
        guard case .clockSet(let seconds) = entry.content else { return }
        notices.warn(Self.sentence(seconds))
    }

    static func sentence(_ seconds: Double) -> String {
        let direction = seconds < 0 ? "back" : "forward"
        let length = MetricFormat.time(abs(seconds).rounded())
        return "the system clock was set \(direction) by \(length); the workout keeps its own time"
    }
}
