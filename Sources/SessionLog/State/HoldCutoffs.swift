package import Foundation

/// A date after which no value is held any more in averages weighted by time.
package struct HoldCutoff: Sendable, Equatable {
    package var date: Date
    /// The sensor that it applies to. Nil for all.
    package var sensor: String?
}

/// Finds the dates in a log at which held values end. The live figures and those of the store use the same rule. Pure.
///
/// The clock stands still in a pause and after the end, each leg of a workout has figures of its own, and a sensor that
/// is away measures nothing.
package struct HoldCutoffs: Sendable, Equatable {
    private var pauses = SessionPauses()
    private var hasSession = false
    /// The place in the log and the date of the latest reading from a pause that follows.
    private var early: Early?

    private struct Early: Sendable, Equatable {
        var place: Date
        var date: Date
    }

    package init() {}

    /// The start of the present pause. An earlier reading that arrives late is not held into it.
    package var openPause: Date? { pauses.open }

    /// Adds the next entry of the log. Returns the cutoff for earlier values, if it ends their hold.
    ///
    /// A reading with a later date than its place in the log was measured in a pause that follows: devices write one or two
    /// after they have paused automatically. Earlier values are held until its place, and it is not held itself.
    package mutating func end(at entry: SessionEntry) -> HoldCutoff? {
        if let reading = entry.numbers {
            let found = Early(place: entry.date, date: reading.start)
            guard reading.start > entry.date, found != early else { return nil }
            early = found
            return HoldCutoff(date: entry.date)
        }
        return entry.isReading ? nil : end(atOther: entry)
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func end(atOther entry: SessionEntry) -> HoldCutoff? {
        switch entry.content {
        case .state(let phase):
            hasSession = hasSession || phase == .running
            pauses.change(to: phase, at: entry.date)
            return phase == .paused || phase.isOver ? HoldCutoff(date: entry.date) : nil
        case .event(let event) where !hasSession && event.start <= event.end:
            // Without a session, events mark the pauses.
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
