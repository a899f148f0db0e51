import Foundation
import SessionLog

/// The entries of a workout in a track file, made while the file is read again. Points are merged with all other items
/// in order of time.
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
    /// The point whose entries were made last.
    private var last: TrackPoint?
    /// The next point of the file that does not step back in time.
    private var upcoming: TrackPoint?
    /// The number of parts that began before that point, and before the one before it.
    private var begun = 0
    private var counted = 0

    init(_ plan: TrackPlan, _ steps: consuming Steps, path: String) throws(RecordingError) {
        self.plan = plan
        self.path = path
        reader = steps
        readings = TrackReadings(plan)
        readings.begin(plan.parts[0])
        try advance()
    }

    func read(into entries: EntryBuffer) throws(RecordingError) {
        while !entries.isFull, try readMore(into: entries) {}
    }

    /// Appends the entries of the next point or item. Returns false at the end.
    private func readMore(into entries: EntryBuffer) throws(RecordingError) -> Bool {
        var point = upcoming
        var isLate = false
        if late < plan.late.count, plan.late[late].time < point?.time ?? .infinity {
            point = plan.late[late]
            isLate = true
        }
        // The last point of a leg may have the time at which the next leg begins.
        let isLastOfPart =
            !isLate && begun == part + 1 && plan.counts.count == plan.parts.count && part + 1 < plan.parts.count
            && plan.parts[part + 1].start == point?.time
        if item < plan.items.all.count, case let next = plan.items.all[item], next.isAhead(of: point?.time),
            !isLastOfPart || next.time < plan.parts[part + 1].start
        {
            item += 1
            let date = TrackPlan.date(next.time)
            if case .state(.running) = next.content { readings.resume(at: date) }
            entries.append(SessionEntry(date, next.content))
            return true
        }
        guard let point else { return false }
        while !isLastOfPart, part + 1 < plan.parts.count, plan.parts[part + 1].start <= point.time {
            part += 1
            readings.begin(plan.parts[part])
        }
        if !isLate, begun > counted {
            counted = begun
            if begun <= plan.counts.count { readings.count(plan.counts[begun - 1]) }
        }
        // Some programs repeat all earlier points in each segment, which then step back in time.
        let isRepeated = !plan.late.isEmpty && last.map(point.repeats) ?? false
        if !isRepeated { readings.append(point, isLate: isLate, to: entries) }
        last = point
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
            guard case .point(var point) = step else { continue }
            taken += 1
            guard point.hasTime, point.time >= latest else { continue }
            latest = point.time
            if !plan.jumps.isEmpty { point.time = plan.jumps.corrected(point.time) }
            upcoming = point
            return
        }
    }
}

/// Converts points to readings.
struct TrackReadings {
    private let distanceSource: TrackPlan.DistanceSource
    private var scales: ArraySlice<TrackPlan.Scale>
    private let heartRate = ReadingKind.heartRate(sensor: TrackDevice.sensor)
    private var kinds = MotionKinds()
    private var counted = CountedDistance([])
    private var distance = 0.0
    private var distanceTime: CountedTime
    private var way = WayAlongPositions()

    init(_ plan: TrackPlan) {
        distanceSource = plan.distanceSource
        scales = plan.scales[...]
        distanceTime = CountedTime(from: TrackPlan.date(plan.start))
    }

    /// Begins a part of the workout.
    mutating func begin(_ part: TrackPlan.Part) {
        kinds = MotionKinds(part.activity, sensor: TrackDevice.sensor)
        distanceTime.begin(at: TrackPlan.date(part.start))
    }

    /// Starts a new count of the device, as these pieces describe.
    mutating func count(_ pieces: [CountedDistance.Piece]) {
        counted = CountedDistance(pieces)
        distance = 0
    }

    /// Continues the track at `date`: the way in between is not part of the workout.
    mutating func resume(at date: Date) {
        distanceTime.begin(at: date)
        way.interrupt()
    }

    /// - Parameter isLate: Whether the point steps back in time. What a device counted until then is part of what it
    ///   counted until the points around it.
    mutating func append(_ point: TrackPoint, isLate: Bool, to entries: EntryBuffer) {
        let date = TrackPlan.date(point.time)
        func add(_ kind: consuming ReadingKind, _ value: Double, from start: Date) {
            entries.append(SessionEntry(date, .quantity(QuantityReading(kind, value, start: start, end: date))))
        }
        if point.hasPosition { entries.append(SessionEntry(date, .position(point.position))) }
        if point.hasHeartRate { add(heartRate, point.heartRate, from: date) }
        if !isLate || distanceSource == .positions, let added = addedMeters(point) {
            let start = distanceTime.start(ofCountAt: date)
            if added > 0, let kind = kinds.distance { add(kind, added, from: start) }
        }
        if let kind = kinds.speed, point.speed >= 0 { add(kind, point.speed, from: date) }
        if let kind = kinds.power, point.power >= 0 { add(kind, point.power, from: date) }
        if let kind = kinds.cadence, point.cadence >= 0 { add(kind, point.cadence, from: date) }
        if let kind = kinds.temperature, !point.temperature.isNaN { add(kind, point.temperature, from: date) }
        if let kind = kinds.waterTemperature, !point.waterTemperature.isNaN {
            add(kind, point.waterTemperature, from: date)
        }
    }

    /// Returns the metres since the last point that had a distance, or nil if this one has none.
    private mutating func addedMeters(_ point: TrackPoint) -> Double? {
        switch distanceSource {
        case .laps: return nil
        case .count:
            guard point.hasDistance else { return nil }
            let total = counted.add(point.distance)
            defer { distance = total }
            return total - distance
        case .positions: break
        }
        guard point.hasPosition else { return nil }
        while let scale = scales.first, scale.end < point.time { scales.removeFirst() }
        let factor = scales.first.flatMap { $0.start <= point.time ? $0.factor : nil } ?? 1
        return way.add(point.coordinates, at: point.time).map { $0 * factor }
    }
}
