import Foundation
import SessionLog

/// Selects the entries of a workout that count in files for other programs: without readings in pauses, and without
/// positions that an app discarded.
///
/// Pauses are those of ``SessionPauses``, the one rule for every reader of a log. A value that adds up over time counts
/// by the share of its time outside the pauses. All entries are processed twice, because only the end shows which
/// positions were discarded.
struct CountedEntries {
    private var pauses = SessionPauses()
    private var place = 0
    /// The index after the last `routeDiscarded`.
    private var endOfDiscarded = 0

    /// Begins the second pass.
    mutating func begin() {
        place = 0
        pauses = SessionPauses()
    }

    /// How much of an entry counts.
    enum Share {
        case all, nothing
        /// A reading that overlaps a pause, cut to its time outside.
        case parts([SessionEntry])
    }

    /// Returns how much of the next entry counts. In the first pass all added positions count.
    mutating func take(_ entry: SessionEntry) -> Share {
        place += 1
        switch entry.content {
        case .state(let phase):
            pauses.change(to: phase, at: entry.date)
            return .all
        case .quantity(let reading):
            guard reading.start <= reading.end else { return .all }
            switch pauses.share(of: reading) {
            case .all: return .all
            case .nothing: return .nothing
            case .parts(let readings): return .parts(readings.map { SessionEntry(entry.date, .quantity($0)) })
            }
        case .beats, .waveform: return pauses.counts(entry.date) ? .all : .nothing
        case .position(let position):
            return (position.isAdded ? place > endOfDiscarded : pauses.counts(entry.date)) ? .all : .nothing
        case .routeDiscarded:
            endOfDiscarded = max(endOfDiscarded, place)
            return .nothing
        default: return .all
        }
    }
}
