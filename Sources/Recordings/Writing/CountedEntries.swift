import Foundation

/// The entries of a workout that count, as files of other programs take them: without what sensors sent in a pause, and without
/// the positions that an app gave up.
///
/// Pauses are those of ``SessionPauses``, the one rule for every reader of a log. What adds up over time counts by the share
/// of its time that is outside of them. Takes the entries twice: which positions were given up is known at the end.
struct CountedEntries {
    private var pauses = SessionPauses()
    private var place = 0
    /// The first entry behind the last `routeDiscarded`.
    private var endOfDiscarded = 0

    /// Before the second time.
    mutating func begin() {
        place = 0
        pauses = SessionPauses()
    }

    /// Hands over what counts of the entry; the first time, with all the positions.
    mutating func take(_ entry: SessionEntry, _ body: (SessionEntry) -> Void) {
        place += 1
        switch entry.content {
        case .state(let phase):
            pauses.change(to: phase, at: entry.date)
            body(entry)
        case .quantity(let reading):
            guard reading.origin == nil, reading.start <= reading.end,
                !pauses.countsWhole(from: reading.start, to: reading.end)
            else { return body(entry) }
            for piece in pauses.counted(reading) { body(SessionEntry(entry.date, .quantity(piece))) }
        case .beats: if pauses.counts(entry.date) { body(entry) }
        case .position(let position):
            if position.isAdded ? place > endOfDiscarded : pauses.counts(entry.date) { body(entry) }
        case .routeDiscarded: endOfDiscarded = max(endOfDiscarded, place)
        default: body(entry)
        }
    }
}

extension SessionPauses {
    /// What counts of a reading that reaches into a pause.
    fileprivate func counted(_ reading: QuantityReading) -> [QuantityReading] {
        let pieces = counted(from: reading.start, to: reading.end)
        guard let first = pieces.first, let last = pieces.last else { return [] }
        func cut(_ start: Date, _ end: Date, _ value: Double) -> QuantityReading {
            var reading = reading
            (reading.start, reading.end, reading.value) = (start, end, value)
            return reading
        }
        guard QuantityReading.addsUp(reading.type) else {
            return [cut(first.lowerBound, last.upperBound, reading.value)]
        }
        let seconds = reading.end.timeIntervalSince(reading.start)
        return pieces.map { piece in
            let share = piece.upperBound.timeIntervalSince(piece.lowerBound) / seconds
            return cut(piece.lowerBound, piece.upperBound, reading.value * share)
        }
    }
}
