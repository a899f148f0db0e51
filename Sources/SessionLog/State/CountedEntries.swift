import Foundation

extension SessionPauses {
    /// The part of an entry that counts.
    package enum Share: Sendable, Equatable {
        case all, nothing
        /// A reading that overlaps a pause, cut to the parts outside.
        case parts([QuantityReading])
    }

    /// Returns the part that counts of the log's next reading. A reading that an app adds counts as a whole, since that
    /// is the app's decision.
    ///
    /// A cumulative quantity counts by the share of its time outside the pauses. Any other is cut to the time outside
    /// them.
    package func share(of reading: QuantityReading) -> Share {
        if reading.origin != nil || countsWhole(from: reading.start, to: reading.end) { return .all }
        let pieces = counted(from: reading.start, to: reading.end)
        guard let first = pieces.first, let last = pieces.last else { return .nothing }
        guard QuantityReading.addsUp(reading.type) else {
            return .parts([reading.cut(to: first.lowerBound...last.upperBound, value: reading.value)])
        }
        let seconds = reading.end.timeIntervalSince(reading.start)
        return .parts(
            pieces.map { piece in
                let share = piece.upperBound.timeIntervalSince(piece.lowerBound) / seconds
                return reading.cut(to: piece, value: reading.value * share)
            })
    }

    /// Adds the next entry of a log, and returns the part that counts. Only sensor readings may not count.
    package mutating func take(_ entry: SessionEntry) -> Share {
        switch entry.content {
        case .state(let next):
            change(to: next, at: entry.date)
            return .all
        case .quantity(let reading): return share(of: reading)
        case .beats, .waveform: return counts(entry.date) ? .all : .nothing
        case .position(let position): return position.isAdded || counts(entry.date) ? .all : .nothing
        default: return .all
        }
    }
}

extension QuantityReading {
    fileprivate func cut(to times: ClosedRange<Date>, value: Double) -> QuantityReading {
        var reading = self
        (reading.start, reading.end, reading.value) = (times.lowerBound, times.upperBound, value)
        return reading
    }
}

/// A log in which every entry counts: sensor readings in pauses are left out already.
package protocol CountedLog: SessionEntries {}

extension SessionEntries {
    /// Calls `body` with the entries that count: without sensor readings in pauses. Logs written by this version
    /// contain none, but those of earlier versions, of the simulator and of other programs do.
    package func forEachCounted(_ body: (SessionEntry) throws -> Void) throws {
        if self is any CountedLog { return try forEach(body) }
        var pauses = SessionPauses()
        try forEach { entry in
            switch pauses.take(entry) {
            case .all: try body(entry)
            case .nothing: break
            case .parts(let readings):
                for reading in readings { try body(SessionEntry(reading.end, .quantity(reading))) }
            }
        }
    }
}
