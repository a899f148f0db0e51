import Foundation
import SessionLog

/// What stands beside the readings of a recording, such as states, laps and totals, in order of time.
struct TimedItems: Sendable {
    /// Of one time with a reading, what `leads` comes ahead of it.
    struct Item: Sendable {
        var time: Double
        var leads: Bool
        var content: SessionEntry.Content

        /// Behind the last reading, which has no time, everything is.
        func isAhead(of reading: Double?) -> Bool {
            guard let reading else { return true }
            return time < reading || leads && time == reading
        }
    }

    private(set) var all: [Item] = []

    mutating func add(_ time: Double, leads: Bool, _ content: SessionEntry.Content) {
        all.append(Item(time: time, leads: leads, content: content))
    }

    /// - Returns: The pauses, as whoever spreads totals needs them.
    mutating func addPauses(_ times: WorkoutTimes) -> SessionPauses {
        var pauses = SessionPauses()
        for pause in times.pauses {
            add(pause.start, leads: false, .state(.paused))
            pauses.begin(at: Date(timeIntervalSinceReferenceDate: pause.start))
            guard let end = pause.end else { continue }
            add(end, leads: true, .state(.running))
            pauses.end(at: Date(timeIntervalSinceReferenceDate: end))
        }
        return pauses
    }

    mutating func add(_ lap: StatedLaps.Lap) {
        let event = EventRecord(
            .lap, start: Date(timeIntervalSinceReferenceDate: lap.start),
            end: Date(timeIntervalSinceReferenceDate: lap.end))
        add(lap.end, leads: false, .event(event))
    }

    /// There are no more but the end.
    mutating func finish(at end: Double) {
        let order = all.indices.sorted {
            let (a, b) = (all[$0], all[$1])
            if a.time != b.time { return a.time < b.time }
            return a.leads == b.leads ? $0 < $1 : a.leads
        }
        all = order.map { all[$0] }
        add(end, leads: false, .state(.stopped))
    }
}
