import Foundation
import SessionLog

/// The observers' notifications of the log's entries: the same on the session's machine and on every following one.
extension WorkoutRecorder {
    /// Reports a logged change of state.
    func notifyChange(to next: SessionPhase, from previous: SessionPhase, at date: Date) {
        session?.changed(to: next, from: previous, at: date)
        guard let event = Self.event(for: next, from: previous, at: date) else { return }
        session?.generated(event)
        if read({ $0.collection != .collecting(events: false) }) { builder?.collectedEvent() }
    }

    /// Reports a logged event. One that an app added is news to the builder's delegate only: the session did not
    /// generate it.
    func notify(_ event: EventRecord) {
        if !event.isAdded { session?.generated(event) }
        builder?.collectedEvent()
    }

    /// Begins or ends an activity, and reports what began and ended.
    func takePart(_ entry: SessionEntry) {
        let open = read { $0.currentActivity }
        append(entry)
        if let open {
            session?.ended(open.record.activity, at: entry.date)
            let id = open.record.id
            if let closed = read({ $0.activities.last { $0.record.id == id } }) { builder?.ended(closed) }
        }
        guard case .activityBegan(let record) = entry.content, let begun = read({ $0.currentActivity }),
            begun.record.id == record.id
        else { return }
        session?.began(record.activity, at: entry.date)
        builder?.began(begun)
    }
}
