import Foundation

/// Makes readings of points.
struct TrackReadings {
    private let isDistanceCounted: Bool
    private let heartRate = ReadingKind.heartRate(sensor: TrackDevice.sensor)
    private var kinds = MotionKinds()
    private var counted = CountedDistance([])
    private var distance = 0.0
    private var distanceDate: Date
    private var lastPosition: TrackPoint?

    init(start: Date, isDistanceCounted: Bool) {
        self.isDistanceCounted = isDistanceCounted
        distanceDate = start
    }

    /// A part of the workout begins.
    mutating func begin(_ part: TrackPlan.Part) {
        kinds = MotionKinds(part.activity, sensor: TrackDevice.sensor)
    }

    /// The device counts from here on as these pieces say.
    mutating func count(_ pieces: [CountedDistance.Piece]) {
        counted = CountedDistance(pieces)
        distance = 0
    }

    /// The track goes on from there: what lies between was not covered in the workout.
    mutating func resume(at date: Date) {
        distanceDate = max(distanceDate, date)
        lastPosition = nil
    }

    /// - Parameter isLate: It steps back in time: its distance is part of that of the points around it.
    mutating func append(_ point: TrackPoint, isLate: Bool, to entries: EntryBuffer) {
        let date = TrackPlan.date(point.time)
        func add(_ kind: consuming ReadingKind, _ value: Double, from start: Date) {
            entries.append(SessionEntry(date, .quantity(QuantityReading(kind, value, start: start, end: date))))
        }
        if point.hasPosition { entries.append(SessionEntry(date, .position(point.position))) }
        if point.hasHeartRate { add(heartRate, point.heartRate, from: date) }
        if !isLate, let added = addedMeters(point) {
            if added > 0, let kind = kinds.distance { add(kind, added, from: min(distanceDate, date)) }
            distanceDate = date
        }
        if let kind = kinds.speed, point.speed >= 0 { add(kind, point.speed, from: date) }
        if let kind = kinds.power, point.power >= 0 { add(kind, point.power, from: date) }
        if let kind = kinds.cadence, point.cadence >= 0 { add(kind, point.cadence, from: date) }
        if let kind = kinds.temperature, !point.temperature.isNaN { add(kind, point.temperature, from: date) }
        if let kind = kinds.waterTemperature, !point.waterTemperature.isNaN {
            add(kind, point.waterTemperature, from: date)
        }
    }

    /// What was covered since the last point that told; nil where this one does not.
    private mutating func addedMeters(_ point: TrackPoint) -> Double? {
        if isDistanceCounted {
            guard point.hasDistance else { return nil }
            let total = counted.add(point.distance)
            defer { distance = total }
            return total - distance
        }
        guard point.hasPosition else { return nil }
        defer { lastPosition = point }
        return lastPosition.map { EarthDistance.meters(from: $0, to: point) } ?? 0
    }
}
