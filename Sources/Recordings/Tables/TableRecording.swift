import Foundation

/// Makes a recording of a table, in two readings: one for what it is as a whole, one, whenever it is asked for, for its
/// entries.
enum TableRecording {
    static func read(_ layout: TableLayout, _ source: RecordingSource) throws(RecordingError) -> Recording {
        var layout = layout
        var summary = RecordingSummary(format: layout.format)
        let rows = try TableRows(source.open(), layout)
        var first: Double?
        var hasPositions = false
        var parts: [String] = []
        var laps = 0
        var workoutID: UUID?
        var print = HealthFingerprint()
        while try rows.next() {
            first = first ?? rows.seconds
            if rows[.heartRate] > 0 { summary.heartRate.add(rows[.heartRate]) }
            if !rows.intervals.isEmpty { summary.rrIntervalsInMilliseconds.append(contentsOf: rows.intervals) }
            if !rows.event.isEmpty {
                layout.activity = TableEvent.start(rows.event) ?? layout.activity
                if let part = TableEvent.part(rows.event), parts.count < 1000 { parts.append(part) }
                if rows.event == "lap" { laps += 1 }
                workoutID = workoutID ?? TableEvent.workoutID(rows.event)
            }
            if !rows[.latitude].isNaN, !rows[.longitude].isNaN { hasPositions = true }
        }
        summary.records = rows.count
        summary.laps = max(laps, layout.lapEnds.count, rows.lap.map { $0 > 0 ? $0 + 1 : 0 } ?? 0)
        summary.sessions = rows.count > 0 ? 1 : 0
        summary.warnings = layout.warnings + rows.faults
        guard let first else {
            throw .invalid(
                path: source.path, byte: summary.warnings.first?.byte ?? 0,
                reason: "no row of the table could be read"
                    + (summary.warnings.first.map { "; \($0.message)" } ?? ", as it has none"))
        }
        var start = layout.clock.startsBeforeRows ? layout.start ?? 0 : first
        var end = rows.seconds
        if layout.start == nil, layout.clock.isRelative {
            // Whoever records saves when it is over.
            let shift = ((source.modified ?? Date()).timeIntervalSinceReferenceDate - end).rounded(.down)
            layout.start = shift
            start += shift
            end += shift
            summary.warnings.append(
                RecordingWarning(
                    byte: 0,
                    message:
                        "the file has no date; its end was set to when it was last changed, "
                        + "\(SessionLogDate.text(Date(timeIntervalSinceReferenceDate: end)) ?? "?") (change it with --start)"
                ))
        }
        if let note = WorkoutTimes.note(onLength: end - start) {
            summary.warnings.append(RecordingWarning(byte: 0, message: note))
        }
        summary.leftOut = layout.leftOut
        for word in [first.bitPattern, rows.seconds.bitPattern, UInt64(rows.count), UInt64(rows.bytesRead)] {
            print.combine(word)
        }
        print.combine(layout.format)
        let workout = TableWorkout(
            layout: layout, start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: end), id: workoutID ?? print.uuid, hasPositions: hasPositions,
            parts: parts)
        var facts = Recording.Facts(start: workout.start, end: workout.end, hasPackets: false)
        facts.wearer = layout.wearer
        facts.workoutID = workoutID
        let entries = RecordedEntries(source: { () throws(RecordingError) in
            try TableEntries(workout, try source.open())
        })
        return Recording(entries: entries, file: summary, facts: facts)
    }
}

extension TableLayout.Clock {
    /// Whether the recording begins ahead of its first row, which ends the first interval.
    fileprivate var startsBeforeRows: Bool {
        switch self {
        case .beats, .rows: true
        default: false
        }
    }
}
