import Analytics
import Recordings

/// The dates that stand in a log, each once: 8 bytes for a moment at which something was measured.
struct KnownDates: Sendable, Equatable {
    /// Seconds since the reference date, ascending.
    private var seconds: [Double] = []

    /// Takes the dates of an entry: its own, and from when to when that is of which it tells.
    mutating func note(_ entry: SessionEntry) {
        note(entry.date)
        switch entry.content {
        case .quantity(let reading): note(reading.start, reading.end)
        case .category(let reading): note(reading.start, reading.end)
        case .event(let event): note(event.start, event.end)
        default: break
        }
    }

    func contains(_ date: Date) -> Bool {
        let place = place(of: date.timeIntervalSinceReferenceDate)
        return place < seconds.count && seconds[place] == date.timeIntervalSinceReferenceDate
    }

    private mutating func note(_ start: Date, _ end: Date) {
        note(start)
        note(end)
    }

    private mutating func note(_ date: Date) {
        let new = date.timeIntervalSinceReferenceDate
        guard new.isFinite else { return }
        guard let last = seconds.last, new <= last else { return seconds.append(new) }
        let place = place(of: new)
        if seconds[place] != new { seconds.insert(new, at: place) }
    }

    /// Of the first date that is not earlier.
    private func place(of date: Double) -> Int { seconds.partitioningIndex { $0 >= date } }
}
