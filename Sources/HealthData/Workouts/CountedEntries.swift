package import SessionLog

extension SessionPauses {
    /// What counts of an entry.
    package enum Share: Sendable, Equatable {
        case all, nothing
        /// A reading whose time reaches into a pause, cut to what lies outside.
        case parts([QuantityReading])
    }

    /// What counts of a reading that the log has next. What an app adds itself counts whole: that is for the app to say.
    ///
    /// A quantity that adds up counts by the share of its time that is outside the pauses; any other holds over the time
    /// that is left of it.
    package func share(of reading: QuantityReading) -> Share {
        if reading.origin != nil || countsWhole(from: reading.start, to: reading.end) { return .all }
        let pieces = counted(from: reading.start, to: reading.end)
        guard let first = pieces.first, let last = pieces.last else { return .nothing }
        guard TypeCatalogue.quantityType(named: reading.type)?.aggregationStyle == .cumulative else {
            return .parts([reading.cut(to: first.lowerBound...last.upperBound, value: reading.value)])
        }
        let seconds = reading.end.timeIntervalSince(reading.start)
        return .parts(
            pieces.map { piece in
                let share = piece.upperBound.timeIntervalSince(piece.lowerBound) / seconds
                return reading.cut(to: piece, value: reading.value * share)
            })
    }

    /// Takes in the next entry of a log, and says what counts of it. Only readings of sensors may not.
    package mutating func take(_ entry: SessionEntry) -> Share {
        switch entry.content {
        case .state(let next):
            change(to: next, at: entry.date)
            return .all
        case .quantity(let reading): return share(of: reading)
        case .beats: return counts(entry.date) ? .all : .nothing
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

/// A log of which every entry counts: what sensors sent in a pause is left out already.
package protocol CountedLog: SessionEntries {}

extension SessionEntries {
    /// A log as its readers take it: without what sensors sent in a pause. Logs that this version writes have none of that;
    /// those of earlier ones, of the simulator and of others do.
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
