import Foundation
import SessionLog

/// The observers' notifications of the log's entries: the same on the session's machine and on every following one.
extension WorkoutRecorder {
    /// Reports a logged change of state.
    func notifyChange(to next: SessionPhase, from previous: SessionPhase, at date: Date) {
        session?.notify(.changed(to: next, from: previous, at: date))
        guard let event = Self.event(for: next, from: previous, at: date) else { return }
        session?.notify(.generated(event))
        if read({ $0.collection != .collecting(events: false) }) { builder?.notify(.collectedEvent) }
    }

    /// Reports a logged event. One that an app added is news to the builder's delegate only: the session did not
    /// generate it.
    func notify(_ event: EventRecord) {
        if !event.isAdded { session?.notify(.generated(event)) }
        builder?.notify(.collectedEvent)
    }

    /// Begins or ends an activity, and reports what began and ended.
    func takePart(_ entry: SessionEntry) {
        let open = read { $0.currentActivity }
        append(entry)
        if let open {
            session?.notify(.ended(open.record.activity, at: entry.date))
            let id = open.record.id
            if let closed = read({ $0.activities.last { $0.record.id == id } }) { builder?.notify(.ended(closed)) }
        }
        guard case .activityBegan(let record) = entry.content, let begun = read({ $0.currentActivity }),
            begun.record.id == record.id
        else { return }
        session?.notify(.began(record.activity, at: entry.date))
        builder?.notify(.began(begun))
    }
}
