import Foundation

/// Makes readings of points.
struct TrackReadings {
    private let isDistanceCounted: Bool
    private var distanceType: String?
    private var speedType: String?
    private var powerType: String?
    private var isCycling = false
    private var isInWater = false
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
        distanceType = part.activity.distanceType
        speedType = part.activity.speedType
        powerType = part.activity.powerType
        isCycling = part.activity.activity == "cycling" || part.activity.activity == "handCycling"
        isInWater = part.activity.activity == "swimming" || part.activity.activity == "underwaterDiving"
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
    mutating func append(_ point: TrackPoint, isLate: Bool, to entries: inout [SessionEntry]) {
        let date = TrackPlan.date(point.time)
        if point.hasPosition { entries.append(SessionEntry(date, .position(point.position))) }
        if point.hasHeartRate { add("heartRate", point.heartRate, "count/min", date, &entries) }
        if !isLate { addDistance(point, date, &entries) }
        if let speedType, point.speed >= 0 { add(speedType, point.speed, "m/s", date, &entries) }
        if let powerType, point.power >= 0 { add(powerType, point.power, "W", date, &entries) }
        if isCycling, point.cadence >= 0 { add("cyclingCadence", point.cadence, "count/min", date, &entries) }
        if isInWater, !point.waterTemperature.isNaN {
            add("waterTemperature", point.waterTemperature, "degC", date, &entries)
        }
    }

    private mutating func addDistance(_ point: TrackPoint, _ date: Date, _ entries: inout [SessionEntry]) {
        var added = 0.0
        if isDistanceCounted {
            guard point.hasDistance else { return }
            let total = counted.add(point.distance)
            added = total - distance
            distance = total
        } else {
            guard point.hasPosition else { return }
            if let lastPosition { added = EarthDistance.meters(from: lastPosition, to: point) }
            lastPosition = point
        }
        if added > 0, let distanceType {
            let reading = QuantityReading(
                distanceType, added, unit: "m", start: min(distanceDate, date), end: date, sensor: TrackDevice.sensor)
            entries.append(SessionEntry(date, .quantity(reading)))
        }
        distanceDate = date
    }

    @inline(__always)
    private func add(_ type: String, _ value: Double, _ unit: String, _ date: Date, _ entries: inout [SessionEntry]) {
        let reading = QuantityReading(type, value, unit: unit, start: date, end: date, sensor: TrackDevice.sensor)
        entries.append(SessionEntry(date, .quantity(reading)))
    }
}
