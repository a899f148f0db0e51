import Foundation
import SessionLog

/// Finds the units of a table's distances and speeds if their columns name none, from what agrees with them: the way
/// along the positions, or each other.
///
/// Metres and metres per second are assumed first. Others are taken only if these are far off and the others fit.
struct AssumedUnits {
    private var way = WayAlongPositions()
    /// Metres along the positions, and the same way in the columns' own units.
    private var metersBetweenPositions = 0.0, counted = 0.0, travelled = 0.0
    private var lastCount: Double?
    private var latest: Double?

    private static let distances = [("m", 1.0), ("km", 1000), ("mi", 1609.344)]
    private static let speeds = [("m/s", 1.0), ("km/h", 1 / 3.6), ("mph", 0.44704)]
    /// A shorter way shows nothing.
    private static let leastMeters = 100.0
    /// Speeds are no evidence for longer times without a row.
    private static let longestStepInSeconds = 60.0

    mutating func take(_ row: TableRows) {
        let step = latest.map { row.seconds - $0 } ?? 0
        latest = row.seconds
        if case let speed = row[.speed], !speed.isNaN, step <= Self.longestStepInSeconds { travelled += speed * step }
        if case let count = row[.distance], !count.isNaN {
            if let lastCount { counted += max(0, count - lastCount) }
            lastCount = count
        }
        var point = TrackPoint()
        (point.latitude, point.longitude) = (row[.latitude], row[.longitude])
        if point.hasPosition { metersBetweenPositions += way.add(point.coordinates, at: row.seconds) ?? 0 }
    }

    /// Returns the units to take instead of metres and metres per second, for the columns without a unit.
    func corrections(
        isDistanceAssumed: Bool, isSpeedAssumed: Bool
    ) -> (distance: (name: String, factor: Double)?, speed: (name: String, factor: Double)?) {
        func unit(
            of sum: Double, _ units: [(String, Double)], meters: Double
        ) -> (name: String, factor: Double)? {
            guard meters >= Self.leastMeters, sum > 0,
                let found = units.first(where: { (0.8...1.25).contains(sum * $0.1 / meters) })
            else { return nil }
            return found.1 == 1 ? nil : found
        }
        if metersBetweenPositions >= Self.leastMeters {
            return (
                isDistanceAssumed ? unit(of: counted, Self.distances, meters: metersBetweenPositions) : nil,
                isSpeedAssumed ? unit(of: travelled, Self.speeds, meters: metersBetweenPositions) : nil
            )
        }
        guard counted > 0, travelled > 0 else { return (nil, nil) }
        if !isDistanceAssumed { return (nil, unit(of: travelled, Self.speeds, meters: counted)) }
        if !isSpeedAssumed { return (unit(of: counted, Self.distances, meters: travelled), nil) }
        // Kilometres with km/h agree just as miles with mph do; the metric ones come first.
        let pairs = Self.distances.flatMap { distance in Self.speeds.map { (distance, $0) } }
        let fitting = pairs.first { distance, speed in
            let meters = travelled * speed.1
            return meters >= Self.leastMeters && (0.8...1.25).contains(counted * distance.1 / meters)
        }
        guard let (distance, speed) = fitting else { return (nil, nil) }
        return (distance.1 == 1 ? nil : distance, speed.1 == 1 ? nil : speed)
    }
}
