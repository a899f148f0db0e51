import Foundation
import SessionLog

/// The entries of a recording other than readings, such as states, laps and totals, in order of time.
struct TimedItems: Sendable {
    /// An entry. If `leads` is true, it comes before a reading of the same time.
    struct Item: Sendable {
        var time: Double
        var leads: Bool
        var content: SessionEntry.Content

        /// Returns whether the item comes before the reading. After the last reading, which is nil, every item comes
        /// next.
        func isAhead(of reading: Double?) -> Bool {
            guard let reading else { return true }
            return time < reading || leads && time == reading
        }
    }

    private(set) var all: [Item] = []

    mutating func add(_ time: Double, leads: Bool, _ content: SessionEntry.Content) {
        all.append(Item(time: time, leads: leads, content: content))
    }

    /// - Returns: The pauses, in the form that spreading totals over them needs.
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

    /// Ends the list: sorts it and adds the end of the workout.
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
