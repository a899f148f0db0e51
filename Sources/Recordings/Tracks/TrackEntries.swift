import Foundation

/// The entries of a workout in a file of tracks, made as the file is read again: its points, and what is beside them, merged in
/// order of time.
final class TrackEntries<Steps: TrackSteps & ~Copyable>: EntrySource {
    private let plan: TrackPlan
    private var reader: Steps
    private let path: String
    private var readings: TrackReadings
    private var item = 0
    private var late = 0
    private var part = 0
    private var taken = 0
    private var latest = -Double.infinity
    /// The next point of the file that is not late.
    private var upcoming: TrackPoint?
    /// The parts that began in the file up to that point, and up to the one before.
    private var begun = 0
    private var counted = 0

    init(_ plan: TrackPlan, _ steps: consuming Steps, path: String) throws(RecordingError) {
        self.plan = plan
        self.path = path
        reader = steps
        readings = TrackReadings(start: TrackPlan.date(plan.start), isDistanceCounted: plan.isDistanceCounted)
        readings.begin(plan.parts[0])
        try advance()
    }

    func read(into entries: EntryBuffer) throws(RecordingError) {
        while !entries.isFull, try readMore(into: entries) {}
    }

    /// The entries of the next point or item; false at the end.
    private func readMore(into entries: EntryBuffer) throws(RecordingError) -> Bool {
        var point = upcoming
        var isLate = false
        if late < plan.late.count, plan.late[late].time < point?.time ?? .infinity {
            point = plan.late[late]
            isLate = true
        }
        if item < plan.items.count, plan.items[item].isAhead(of: point) {
            let next = plan.items[item]
            item += 1
            let date = TrackPlan.date(next.time)
            if case .state(.running) = next.content { readings.resume(at: date) }
            entries.append(SessionEntry(date, next.content))
            return true
        }
        guard let point else { return false }
        while part + 1 < plan.parts.count, plan.parts[part + 1].start <= point.time {
            part += 1
            readings.begin(plan.parts[part])
        }
        if !isLate, begun > counted {
            counted = begun
            if begun <= plan.counts.count { readings.count(plan.counts[begun - 1]) }
        }
        readings.append(point, isLate: isLate, to: entries)
        if isLate { late += 1 } else { try advance() }
        return true
    }

    private func advance() throws(RecordingError) {
        upcoming = nil
        while taken < plan.points {
            let step: TrackStep?
            do throws(ByteStreamFault) { step = try reader.next() } catch { throw RecordingError(error) }
            guard let step else {
                throw .invalid(path: path, byte: reader.byte, reason: "the file became shorter while it was read")
            }
            if case .part = step { begun += 1 }
            guard case .point(let point) = step else { continue }
            taken += 1
            guard point.hasTime, point.time >= latest else { continue }
            latest = point.time
            upcoming = point
            return
        }
    }
}
