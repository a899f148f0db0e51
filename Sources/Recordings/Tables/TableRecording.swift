import Foundation
import SessionLog

/// Makes a recording from a table in two passes: one for its summary, and one for its entries whenever they are needed.
enum TableRecording {
    /// - Parameter mayBeDays: Whether few readings over a long time are not a workout.
    static func read(
        _ layout: TableLayout, _ source: RecordingSource, mayBeDays: Bool
    ) throws(RecordingError) -> Recording {
        var layout = layout
        var summary = RecordingSummary(format: layout.format)
        var (survey, rows) = try survey(layout, source)
        func surveyAgain(because note: String?) throws(RecordingError) {
            guard let note else { return }
            layout.warnings.append(RecordingWarning(byte: 0, message: note))
            (survey, rows) = try Self.survey(layout, source)
        }
        try surveyAgain(because: layout.takePartial(survey.partial))
        try surveyAgain(because: layout.takeUnits(survey.assumedUnits))
        summary.records = rows.count
        summary.heartRate = survey.heartRate
        summary.rrIntervalsInMilliseconds = survey.intervalsInMilliseconds
        summary.laps = survey.stated.laps.count
        summary.sessions = rows.count > 0 ? 1 : 0
        summary.warnings = layout.warnings + rows.faults
        summary.leftOut = layout.leftOut
        func warn(_ message: String) { summary.warnings.append(RecordingWarning(byte: 0, message: message)) }
        guard let samples = survey.stated.samples else {
            throw .invalid(
                path: source.path, byte: summary.warnings.first?.byte ?? 0,
                reason: "no row of the table could be read"
                    + (summary.warnings.first.map { "; \($0.message)" } ?? ", as it has none"))
        }
        if mayBeDays, survey.workoutID == nil, let hours = survey.hoursOfDays(rows: rows.count) {
            throw .invalid(
                path: source.path, byte: layout.first.byte,
                reason:
                    "it has few readings, for \(hours) h: it is a record of days, not a workout; --activity imports it as "
                    + "one")
        }
        var print = HealthFingerprint()
        for word in [
            samples.lowerBound.bitPattern, samples.upperBound.bitPattern, UInt64(rows.count), UInt64(rows.bytesRead),
        ] {
            print.combine(word)
        }
        print.combine(layout.format)
        if layout.start == nil, layout.clock.isRelative {
            // People save a recording when it is over.
            let modified = (source.modified ?? Date()).timeIntervalSinceReferenceDate
            let start = (modified - samples.upperBound).rounded(.down)
            layout.start = start
            survey.mapTimes { start + $0 }
            let end = Date(timeIntervalSinceReferenceDate: start + samples.upperBound)
            warn(
                "the file has no date; its end was set to when it was last changed, "
                    + "\(SessionLogDate.text(end) ?? "?") (change it with --start)")
        }
        layout.device.name = survey.deviceName ?? layout.device.name
        guard let workout = TableWorkout(survey, layout, id: survey.workoutID ?? print.uuid) else {
            throw .invalid(path: source.path, byte: 0, reason: "no row of the table has a time")
        }
        for note in workout.notes { warn(note) }
        var facts = Recording.Facts(
            start: Date(timeIntervalSinceReferenceDate: workout.start),
            end: Date(timeIntervalSinceReferenceDate: workout.end), hasPackets: false)
        facts.wearer = layout.wearer
        facts.workoutID = survey.workoutID
        let entries = RecordedEntries(source: { () throws(RecordingError) in
            try TableEntries(workout, try source.open())
        })
        return Recording(entries: entries, file: summary, facts: facts)
    }

    private static func survey(
        _ layout: TableLayout, _ source: RecordingSource
    ) throws(RecordingError) -> (TableSurvey, TableRows) {
        let rows = try TableRows(source.open(), layout)
        var survey = TableSurvey(layout)
        while try rows.next() { survey.take(rows) }
        survey.finish(lapEnds: layout.lapEnds)
        return (survey, rows)
    }
}

extension TableLayout {
    /// Has the rows add up quantities that are no totals. Returns a note about them, or nil if there are none.
    fileprivate mutating func takePartial(_ quantities: [TableQuantity]) -> String? {
        partial = quantities
        guard !quantities.isEmpty else { return nil }
        let names = quantities.map(\.name).joined(separator: " and ")
        return "the values of \(names) rise and fall all the time, so they are no totals; they were added up"
    }

    /// Sets the units that the rows show for columns that name none. Returns a note about them, or nil if metres and
    /// metres per second remain.
    fileprivate mutating func takeUnits(_ found: AssumedUnits?) -> String? {
        guard
            let (distance, speed) = found?.corrections(
                isDistanceAssumed: assumed.contains(.distance), isSpeedAssumed: assumed.contains(.speed)),
            distance != nil || speed != nil
        else { return nil }
        if let distance { setUnit(of: .distance, TableUnit(factor: distance.factor)) }
        if let speed { setUnit(of: .speed, TableUnit(factor: speed.factor)) }
        assumed = []
        let columns = [distance.map { _ in "distance" }, speed.map { _ in "speed" }].compactMap(\.self)
        let units = [distance?.name, speed?.name].compactMap(\.self)
        return "no unit is stated for \(columns.joined(separator: " and ")); \(units.joined(separator: " and ")) "
            + "fit the rest of the table best and were assumed"
    }
}
