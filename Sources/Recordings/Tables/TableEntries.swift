import Foundation

/// What a first reading of a table found: what its entries need to be known before them.
struct TableWorkout: Sendable {
    var layout: TableLayout
    var start: Date
    var end: Date
    var id: UUID
    var hasPositions = false
    /// The activities of the parts that began after the first one, which is what the table begins with.
    var parts: [String] = []

    var firstActivity: String { layout.activity ?? "other" }

    var activity: ActivityDescription {
        var description =
            parts.isEmpty
            ? ActivityDescription(activity: firstActivity)
            : ActivityDescription.whole(of: ([firstActivity] + parts).map { ActivityDescription(activity: $0) })
        if hasPositions { description.location = .outdoor }
        return description
    }
}

/// The entries of a table, read from the file as they are asked for.
final class TableEntries: EntrySource {
    private let rows: TableRows
    private let workout: TableWorkout
    private var readings: TableReadings
    private var hasOpened = false
    private var lapEnds: ArraySlice<Double>
    private var isOver = false

    init(_ workout: TableWorkout, _ bytes: RecordingBytes) throws(RecordingError) {
        self.workout = workout
        rows = try TableRows(bytes, workout.layout)
        readings = TableReadings(
            activity: workout.firstActivity, start: workout.start, id: workout.id,
            own: workout.layout.own)
        lapEnds = workout.layout.lapEnds[...]
    }

    func read(into entries: EntryBuffer) throws(RecordingError) {
        guard hasOpened else { return open(entries) }
        while !entries.isFull, !isOver {
            if try rows.next() {
                let date = Date(timeIntervalSinceReferenceDate: rows.seconds)
                endLaps(before: date, entries)
                readings.append(rows, at: date, to: entries)
            } else {
                isOver = true
                endLaps(before: .distantFuture, entries)
                readings.finish(at: workout.end, to: entries)
                entries.append(SessionEntry(workout.end, .state(.stopped)))
            }
        }
    }

    /// What the log begins with.
    private func open(_ entries: EntryBuffer) {
        hasOpened = true
        let start = workout.start
        var device = workout.layout.device
        if device.name == nil { device.name = "\(workout.layout.format.uppercased()) file" }
        let recorder = SensorStatus(id: TableReadings.recorder, kind: .replay, presence: .present, device: device)
        entries.append(SessionEntry(start, .header(SessionHeader(id: workout.id, activity: workout.activity))))
        entries.append(SessionEntry(start, .state(.running)))
        entries.append(SessionEntry(start, .sensor(recorder)))
        if !workout.parts.isEmpty { readings.beginPart(workout.firstActivity, at: start, to: entries) }
        if let wearer = workout.layout.wearer { entries.append(SessionEntry(start, .wearer(wearer))) }
    }

    /// Those that the file lists by themselves.
    private func endLaps(before date: Date, _ entries: EntryBuffer) {
        while let seconds = lapEnds.first, case let end = min(workout.start + seconds, workout.end), end < date {
            lapEnds.removeFirst()
            readings.endLap(at: end, entries)
        }
    }
}
