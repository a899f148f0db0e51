import Bluetooth
import GATT
import SessionLog

/// Speed, cadence, distance and power of one sensor, as the types that a session of its activity collects.
///
/// A trainer or power meter that counts its wheel or crank in two services is read once: what the power service says
/// goes before what the speed and cadence service says (as GoldenCheetah has it).
struct MotionReadings: Sendable {
    private let activity: String
    private let sensor: String
    private var pod = RunningOdometer()
    private var steps = 0.0
    private var lastStride: Date?
    private var wheel: WheelOdometer
    private var crank = CrankCadence()
    private var powerWheel: WheelOdometer
    private var powerCrank = CrankCadence()
    private var lastWheel: Date?
    private var lastPowerWheel: Date?
    /// When the power service last told of its wheel and its crank.
    private var powerWheelSeen: Date?
    private var powerCrankSeen: Date?

    init(activity: String, sensor: String, wheelCircumferenceInMeters: Double?) {
        self.activity = activity
        self.sensor = sensor
        let circumference = wheelCircumferenceInMeters ?? WheelOdometer.defaultCircumferenceInMeters
        wheel = WheelOdometer(circumferenceInMeters: circumference)
        powerWheel = WheelOdometer(
            circumferenceInMeters: circumference, ticksPerSecond: CyclingPowerMeasurement.wheelTicksPerSecond)
    }

    /// The sensor was away: nothing is known of what went on meanwhile.
    mutating func forget() {
        pod.forget()
        wheel.forget()
        crank.forget()
        powerWheel.forget()
        powerCrank.forget()
        lastStride = nil
        lastWheel = nil
        lastPowerWheel = nil
    }

    /// What a measurement says of motion.
    mutating func readings(_ measurement: SensorMeasurement, at date: Date) -> [QuantityReading] {
        switch measurement {
        case .heartRate: []
        case .runningSpeedAndCadence(let packet): read(packet, at: date)
        case .cyclingSpeedAndCadence(let packet): read(packet, at: date)
        case .cyclingPower(let packet): read(packet, at: date)
        }
    }

    private func reading(
        _ type: String, _ value: Double, _ unit: String, from start: Date? = nil, at date: Date
    )
        -> QuantityReading
    {
        QuantityReading(type, value, unit: unit, start: start ?? date, end: date, sensor: sensor)
    }
}

// MARK: - On foot

extension MotionReadings {
    private mutating func read(_ packet: RunningSpeedCadenceMeasurement, at date: Date) -> [QuantityReading] {
        let walks = activity == "walking" || activity == "hiking"
        var readings = [
            reading(walks ? "walkingSpeed" : "runningSpeed", packet.speedInMetersPerSecond, "m/s", at: date)
        ]
        let countsBothFeet = packet.countsBothFeet
        if let stride = packet.strideLengthInMeters, stride > 0 {
            // HealthKit's stride is one step.
            let step = countsBothFeet ? stride : stride / 2
            readings.append(reading(walks ? "walkingStepLength" : "runningStrideLength", step, "m", at: date))
        }
        if let meters = pod.add(packet, at: date), meters > 0 {
            readings.append(reading("distanceWalkingRunning", meters, "m", from: lastStride, at: date))
        }
        if let last = lastStride {
            let seconds = date.timeIntervalSince(last)
            if seconds > 0, seconds <= RunningOdometer.maximumSilenceInSeconds {
                steps += Double(packet.cadencePerMinute) * (countsBothFeet ? 1 : 2) * seconds / 60
            }
            let whole = steps.rounded(.down)
            if whole >= 1 {
                readings.append(reading("stepCount", whole, "count", from: last, at: date))
                steps -= whole
            }
        }
        lastStride = date
        return readings
    }
}

extension RunningSpeedCadenceMeasurement {
    /// Whether the cadence counts the steps of both feet, as some pods do, and not those of one. Nobody runs with fewer
    /// than 120 steps a minute, nor walks with more than 160; a pod's word of which of the two it is may be trusted.
    var countsBothFeet: Bool {
        cadencePerMinute >= (isRunning ? 115 : 80)
    }
}

// MARK: - On a bicycle

extension MotionReadings {
    private mutating func read(_ packet: CyclingSpeedCadenceMeasurement, at date: Date) -> [QuantityReading] {
        var readings: [QuantityReading] = []
        if let turns = packet.wheel, let motion = wheel.add(turns, at: date) {
            if !Self.isRecent(powerWheelSeen, at: date) { readings += self.readings(motion, from: lastWheel, at: date) }
        }
        if packet.wheel != nil { lastWheel = date }
        if let turns = packet.crank, let cadence = crank.add(turns, at: date), !Self.isRecent(powerCrankSeen, at: date)
        {
            readings.append(reading("cyclingCadence", cadence, "count/min", at: date))
        }
        return readings
    }

    private mutating func read(_ packet: CyclingPowerMeasurement, at date: Date) -> [QuantityReading] {
        let runs = ["running", "walking", "hiking"].contains(activity)
        var readings = [
            reading(runs ? "runningPower" : "cyclingPower", Double(packet.powerInWatts), "W", at: date)
        ]
        if let turns = packet.wheel {
            if let motion = powerWheel.add(turns, at: date) {
                readings += self.readings(motion, from: lastPowerWheel, at: date)
            }
            lastPowerWheel = date
            powerWheelSeen = date
        }
        if let turns = packet.crank {
            if let cadence = powerCrank.add(turns, at: date) {
                readings.append(reading("cyclingCadence", cadence, "count/min", at: date))
            }
            powerCrankSeen = date
        }
        return readings
    }

    private func readings(_ motion: WheelOdometer.Motion, from start: Date?, at date: Date) -> [QuantityReading] {
        var readings: [QuantityReading] = []
        if let speed = motion.speedInMetersPerSecond {
            readings.append(reading("cyclingSpeed", speed, "m/s", at: date))
        }
        if motion.distanceInMeters > 0 {
            readings.append(reading("distanceCycling", motion.distanceInMeters, "m", from: start, at: date))
        }
        return readings
    }

    private static func isRecent(_ seen: Date?, at date: Date) -> Bool {
        seen.map { date.timeIntervalSince($0) <= ReadingPriority.staleInSeconds } ?? false
    }
}
