import Analytics
import Foundation
import SessionLog

/// How the athlete of a simulated workout moves in one sport: speed, distance, power, cadence, place.
///
/// Speed takes seconds to follow the plan, and nothing is ever quite even.
struct SimulatedMotion: Sendable {
    static let sensor = "simulated motion sensor"

    private let sport: Sport
    private let course: LoopRoute?
    private var speed = FirstOrderResponse(value: 0, timeConstantUp: 4, timeConstantDown: 3)
    private var power = FirstOrderResponse(value: 0, timeConstantUp: 2, timeConstantDown: 1)
    private var distanceInMeters = 0.0
    /// Relative deviations from the plan.
    private var speedWander = AutoregressiveNoise(standardDeviation: 0.03, memoryInSeconds: 20)
    private var powerWander = AutoregressiveNoise(standardDeviation: 0.06, memoryInSeconds: 4)
    private var cadenceWander = AutoregressiveNoise(standardDeviation: 0.02, memoryInSeconds: 15)

    private enum Sport { case onFoot, running, cycling, swimming }

    init(_ activity: ActivityDescription) {
        let isOutdoor = activity.location == .outdoor || activity.swimmingLocation == .openWater
        let loop: LoopRoute
        switch activity.activity {
        case "running": (sport, loop) = (.running, LoopRoute(lengthInMeters: 2500, climbInMeters: 8))
        case "cycling": (sport, loop) = (.cycling, LoopRoute(lengthInMeters: 12_000, climbInMeters: 60))
        case "swimming": (sport, loop) = (.swimming, LoopRoute(lengthInMeters: 750))
        default: (sport, loop) = (.onFoot, LoopRoute(lengthInMeters: 1000))
        }
        course = isOutdoor ? loop : nil
    }

    /// Stops at once, as in a pause.
    mutating func stop() {
        speed.value = 0
        power.value = 0
    }

    /// Moves for the second from `start` to `end`, and returns the readings of the sensors.
    mutating func advanceOneSecond(
        _ segment: WorkoutProfile.Segment, start: Date, end: Date, _ random: inout SeededGenerator,
        appendingTo entries: inout [SessionEntry]
    ) {
        func append(_ type: String, _ value: Double, _ unit: String, from: Date) {
            let reading = QuantityReading(type, value, unit: unit, start: from, end: end, sensor: Self.sensor)
            entries.append(SessionEntry(end, .quantity(reading)))
        }
        speedWander.advance(by: 1, &random)
        powerWander.advance(by: 1, &random)
        cadenceWander.advance(by: 1, &random)

        if let target = segment.speedInMetersPerSecond {
            speed.advance(toward: target, by: 1)
            let metersPerSecond = ((speed.value * (1 + speedWander.value)) * 100).rounded() / 100
            let before = (distanceInMeters * 100).rounded()
            distanceInMeters += metersPerSecond
            // Rounding the whole distance, and not each step, keeps errors from growing.
            let centimeters = (distanceInMeters * 100).rounded() - before
            if centimeters > 0 { append(distanceType, centimeters / 100, "m", from: start) }
            if let speedType { append(speedType, metersPerSecond, "m/s", from: end) }
        }
        if sport == .cycling, let target = segment.powerInWatts {
            power.advance(toward: target, by: 1)
            let watts = max(0, power.value * (1 + powerWander.value + 0.04 * random.normal())).rounded()
            append("cyclingPower", watts, "W", from: end)
        }
        if sport == .cycling, let target = segment.cadencePerMinute {
            append("cyclingCadence", (target * (1 + cadenceWander.value)).rounded(), "count/min", from: end)
        }
        if let course, segment.speedInMetersPerSecond != nil {
            entries.append(SessionEntry(end, .position(position(on: course))))
        }
    }

    private func position(on course: LoopRoute) -> PositionReading {
        let point = course.point(atDistanceInMeters: distanceInMeters)
        return PositionReading(
            latitudeInDegrees: point.latitudeInDegrees, longitudeInDegrees: point.longitudeInDegrees,
            altitudeInMeters: point.altitudeInMeters, horizontalAccuracyInMeters: 4, verticalAccuracyInMeters: 3,
            courseInDegrees: point.courseInDegrees,
            speedInMetersPerSecond: (speed.value * (1 + speedWander.value) * 100).rounded() / 100)
    }

    private var distanceType: String {
        switch sport {
        case .onFoot, .running: "distanceWalkingRunning"
        case .cycling: "distanceCycling"
        case .swimming: "distanceSwimming"
        }
    }

    private var speedType: String? {
        switch sport {
        case .running: "runningSpeed"
        case .cycling: "cyclingSpeed"
        case .onFoot, .swimming: nil
        }
    }
}
