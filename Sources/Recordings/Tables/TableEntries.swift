import Foundation
import SessionLog

/// The layout of a table as a workout: all that is needed to make its entries while it is read again.
struct TableWorkout: Sendable {
    struct Part: Sendable {
        var activity: String
        /// The pieces of the distance count. Empty if the part has no distance column.
        var distance: [CountedDistance.Piece]
    }

    let layout: TableLayout
    let id: UUID
    let start: Double
    let end: Double
    /// The jumps in time when the clock was set.
    let jumps: ClockJumps
    /// Decisions against something that the table states, in words for the user.
    let notes: [String]
    /// The parts; the table begins with the first.
    let parts: [Part]
    /// Whether the table has a distance column. Otherwise the distance comes from the positions.
    let isDistanceCounted: Bool
    private(set) var items = TimedItems()

    /// Returns nil if no row has a time.
    init?(_ survey: TableSurvey, _ layout: TableLayout, id: UUID) {
        var survey = survey
        jumps = ClockJumps(survey.stated)
        if !jumps.isEmpty { survey.mapTimes(jumps.corrected) }
        guard let times = WorkoutTimes(survey.stated) else { return nil }
        self.layout = layout
        self.id = id
        (start, end) = (times.start, times.end)
        notes = [jumps.note].compactMap { $0 } + times.notes
        isDistanceCounted = survey.hasDistance
        var count = 0.0
        parts = survey.parts.enumerated().map { index, surveyed in
            var part = surveyed
            let begin = index == 0 ? times.start : part.start
            return Part(
                activity: part.activity ?? layout.activity ?? "other",
                distance: part.distance.finish(
                    total: nil, before: &count, lead: part.counted.map { $0 - begin }))
        }
        addItems(survey, times)
    }

    private mutating func addItems(_ survey: TableSurvey, _ times: WorkoutTimes) {
        var device = layout.device
        if let name = device.name {
            let maker = FITManufacturer.maker(of: name, product: nil)
            device.manufacturer = device.manufacturer ?? maker?.manufacturer
            device.model = device.model ?? maker?.model
        } else {
            device.name = "\(layout.format.uppercased()) file"
        }
        let recorder = SensorStatus(id: TableReadings.recorder, kind: .replay, presence: .present, device: device)
        items.add(start, leads: true, .header(SessionHeader(id: id, activity: activity(survey))))
        items.add(start, leads: true, .state(.running))
        items.add(start, leads: true, .sensor(recorder))
        if parts.count > 1 { items.add(start, leads: true, .activityBegan(record(ofPart: 0))) }
        if let wearer = layout.wearer { items.add(start, leads: true, .wearer(wearer)) }
        _ = items.addPauses(times)
        for lap in StatedLaps(survey.stated, times).laps { items.add(lap) }
        items.finish(at: end)
    }

    private func activity(_ survey: TableSurvey) -> ActivityDescription {
        var description =
            parts.count == 1
            ? ActivityDescription(activity: parts[0].activity)
            : ActivityDescription.whole(of: parts.map { ActivityDescription(activity: $0.activity) })
        if survey.hasPositions { description.location = .outdoor }
        return description
    }

    func record(ofPart part: Int) -> ActivityRecord {
        var name = HealthFingerprint()
        name.combine(id.uuidString)
        name.combine(UInt64(part) + 1)
        return ActivityRecord(id: name.uuid, activity: ActivityDescription(activity: parts[part].activity))
    }
}

/// The entries of a table, read from the file when they are needed.
final class TableEntries: EntrySource {
    private let rows: TableRows
    private let workout: TableWorkout
    private var readings: TableReadings
    private var item = 0
    private var isOver = false

    init(_ workout: TableWorkout, _ bytes: RecordingBytes) throws(RecordingError) {
        self.workout = workout
        rows = try TableRows(bytes, workout.layout)
        readings = TableReadings(workout)
    }

    func read(into entries: EntryBuffer) throws(RecordingError) {
        while !entries.isFull, !isOver {
            guard try rows.next() else {
                isOver = true
                appendItems(before: nil, entries)
                return
            }
            let seconds = workout.jumps.isEmpty ? rows.seconds : workout.jumps.corrected(rows.seconds)
            appendItems(before: seconds, entries)
            readings.append(rows, at: Date(timeIntervalSinceReferenceDate: seconds), to: entries)
        }
    }

    @inline(__always)
    private func appendItems(before seconds: Double?, _ entries: EntryBuffer) {
        while item < workout.items.all.count, workout.items.all[item].isAhead(of: seconds) {
            let next = workout.items.all[item]
            item += 1
            let date = Date(timeIntervalSinceReferenceDate: next.time)
            if case .state(.running) = next.content { readings.resume(at: date) }
            entries.append(SessionEntry(date, next.content))
        }
    }
}
