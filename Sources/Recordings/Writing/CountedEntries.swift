import Foundation
import SessionLog

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

    /// What counts of an entry.
    enum Share {
        case all, nothing
        /// A reading that reaches into a pause, cut to what lies outside.
        case parts([SessionEntry])
    }

    /// Takes the next entry; the first time, all positions count.
    mutating func take(_ entry: SessionEntry) -> Share {
        place += 1
        switch entry.content {
        case .state(let phase):
            pauses.change(to: phase, at: entry.date)
            return .all
        case .quantity(let reading):
            guard reading.origin == nil, reading.start <= reading.end,
                !pauses.countsWhole(from: reading.start, to: reading.end)
            else { return .all }
            return .parts(pauses.counted(reading).map { SessionEntry(entry.date, .quantity($0)) })
        case .beats: return pauses.counts(entry.date) ? .all : .nothing
        case .position(let position):
            return (position.isAdded ? place > endOfDiscarded : pauses.counts(entry.date)) ? .all : .nothing
        case .routeDiscarded:
            endOfDiscarded = max(endOfDiscarded, place)
            return .nothing
        default: return .all
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
