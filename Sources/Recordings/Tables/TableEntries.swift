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
final class TableEntries {
    private let rows: TableRows
    private let workout: TableWorkout
    private var readings: TableReadings
    private var ready: [SessionEntry]
    private var handedOut = 0
    private var lapEnds: ArraySlice<Double>
    private var isOver = false

    init(_ workout: TableWorkout, _ bytes: RecordingBytes) throws(RecordingError) {
        self.workout = workout
        rows = try TableRows(bytes, workout.layout)
        readings = TableReadings(
            activity: workout.firstActivity, start: workout.start, id: workout.id,
            own: workout.layout.own)
        lapEnds = workout.layout.lapEnds[...]
        let start = workout.start
        var device = workout.layout.device
        if device.name == nil { device.name = "\(workout.layout.format.uppercased()) file" }
        ready = [
            SessionEntry(start, .header(SessionHeader(id: workout.id, activity: workout.activity))),
            SessionEntry(start, .state(.running)),
            SessionEntry(
                start,
                .sensor(SensorStatus(id: TableReadings.recorder, kind: .replay, presence: .present, device: device))),
        ]
        if !workout.parts.isEmpty { readings.beginPart(workout.firstActivity, at: start, to: &ready) }
        if let wearer = workout.layout.wearer { ready.append(SessionEntry(start, .wearer(wearer))) }
    }

    /// Nil at the end.
    func read() throws(RecordingError) -> SessionEntry? {
        while handedOut == ready.count {
            if isOver { return nil }
            ready.removeAll(keepingCapacity: true)
            handedOut = 0
            if try rows.next() {
                let date = Date(timeIntervalSinceReferenceDate: rows.seconds)
                endLaps(before: date)
                readings.append(rows, at: date, to: &ready)
            } else {
                isOver = true
                endLaps(before: .distantFuture)
                readings.finish(at: workout.end, to: &ready)
                ready.append(SessionEntry(workout.end, .state(.stopped)))
            }
        }
        handedOut += 1
        return ready[handedOut - 1]
    }

    /// Those that the file lists by themselves.
    private func endLaps(before date: Date) {
        while let seconds = lapEnds.first, case let end = min(workout.start + seconds, workout.end), end < date {
            lapEnds.removeFirst()
            readings.endLap(at: end, &ready)
        }
    }
}
