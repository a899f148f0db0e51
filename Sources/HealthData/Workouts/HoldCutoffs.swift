package import SessionLog

/// That from some date on no value is held any more in what weighs by time.
package struct HoldCutoff: Sendable, Equatable {
    package var date: Date
    /// The sensor whose values it is about; nil for all.
    package var sensor: String?
}

/// Where the holds of values end, as a log tells it: the one rule of the live figures and of those of the store. Pure.
///
/// The clock stands still in a pause and after the end; a part of a workout has figures of its own; and a sensor that is away
/// measures nothing.
package struct HoldCutoffs: Sendable, Equatable {
    private var pauses = SessionPauses()
    private var hasSession = false

    package init() {}

    /// When the pause began that lasts. A reading of before, come late, is not held into it.
    package var openPause: Date? { pauses.open }

    /// Takes what the log says next. Returns whose values before it are held no longer than until when.
    package mutating func end(at entry: SessionEntry) -> HoldCutoff? {
        if case .quantity = entry.content { return nil }
        return end(atOther: entry)
    }

    // Apart, so that only such an entry is copied.
    @inline(never)
    private mutating func end(atOther entry: SessionEntry) -> HoldCutoff? {
        switch entry.content {
        case .state(let phase):
            hasSession = hasSession || phase == .running
            pauses.change(to: phase, at: entry.date)
            return phase == .paused || phase.isOver ? HoldCutoff(date: entry.date) : nil
        case .event(let event) where !hasSession && event.start <= event.end:
            // Without a session, pauses are what events say.
            switch event.kind {
            case .pause:
                pauses.begin(at: event.start)
                return HoldCutoff(date: event.start)
            case .resume: pauses.end(at: event.start)
            default: break
            }
            return nil
        case .collection(.ended), .activityBegan, .activityEnded: return HoldCutoff(date: entry.date)
        case .sensor(let status) where status.presence != .present:
            return HoldCutoff(date: entry.date, sensor: status.id)
        default: return nil
        }
    }
}
