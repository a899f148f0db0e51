import Bluetooth
import Foundation
import GATT
import SessionLog

/// Converts speed, cadence, distance and power of one sensor to the types of its session's activity.
///
/// Of a trainer that measures the same in several services, one is read: the power service is preferred to the speed
/// and cadence service (as in GoldenCheetah), and both to the fitness machine service.
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
    private var machine = MachineOdometer()
    /// When the machine last sent its speed and its distance.
    private var lastMachineSpeed: Date?
    private var lastMachineDistance: Date?
    private var priority = ReadingPriority()

    /// The services of a sensor, preferred first.
    private enum Service: Int { case power, speedAndCadence, machine }
    /// The quantities that several services may measure.
    private enum Measured: String { case wheel, crank, power }

    init(activity: String, sensor: String, wheelCircumferenceInMeters: Double?) {
        self.activity = activity
        self.sensor = sensor
        let circumference = wheelCircumferenceInMeters ?? WheelOdometer.defaultCircumferenceInMeters
        wheel = WheelOdometer(circumferenceInMeters: circumference)
        powerWheel = WheelOdometer(
            circumferenceInMeters: circumference, ticksPerSecond: CyclingPowerMeasurement.wheelTicksPerSecond)
    }

    /// Notes that the sensor was away, so that nothing is known about that time.
    mutating func forget() {
        pod.forget()
        wheel.forget()
        crank.forget()
        powerWheel.forget()
        powerCrank.forget()
        machine.forget()
        lastMachineSpeed = nil
        lastMachineDistance = nil
        lastStride = nil
        lastWheel = nil
        lastPowerWheel = nil
    }

    /// Returns the readings of a measurement.
    mutating func readings(_ measurement: SensorMeasurement, at date: Date) -> [QuantityReading] {
        switch measurement {
        case .heartRate: []
        case .runningSpeedAndCadence(let packet): read(packet, at: date)
        case .cyclingSpeedAndCadence(let packet): read(packet, at: date)
        case .cyclingPower(let packet): read(packet, at: date)
        case .fitnessMachine(let data): read(data, at: date)
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
    /// than 120 steps a minute or walks with more than 160, and pods tell running from walking reliably.
    var countsBothFeet: Bool {
        cadencePerMinute >= (isRunning ? 115 : 80)
    }
}

// MARK: - On a bicycle

extension MotionReadings {
    private mutating func read(_ packet: CyclingSpeedCadenceMeasurement, at date: Date) -> [QuantityReading] {
        var readings: [QuantityReading] = []
        if let turns = packet.wheel {
            let isPreferred = prefers(.speedAndCadence, for: .wheel, at: date)
            if let motion = wheel.add(turns, at: date), isPreferred {
                readings += self.readings(motion, from: lastWheel, at: date)
            }
            lastWheel = date
        }
        if let turns = packet.crank {
            let isPreferred = prefers(.speedAndCadence, for: .crank, at: date)
            if let cadence = crank.add(turns, at: date), isPreferred {
                readings.append(reading("cyclingCadence", cadence, "count/min", at: date))
            }
        }
        return readings
    }

    private mutating func read(_ packet: CyclingPowerMeasurement, at date: Date) -> [QuantityReading] {
        let runs = ["running", "walking", "hiking"].contains(activity)
        var readings = [
            reading(runs ? "runningPower" : "cyclingPower", Double(packet.powerInWatts), "W", at: date)
        ]
        prefers(.power, for: .power, at: date)
        if let turns = packet.wheel {
            if let motion = powerWheel.add(turns, at: date) {
                readings += self.readings(motion, from: lastPowerWheel, at: date)
            }
            lastPowerWheel = date
            prefers(.power, for: .wheel, at: date)
        }
        if let turns = packet.crank {
            if let cadence = powerCrank.add(turns, at: date) {
                readings.append(reading("cyclingCadence", cadence, "count/min", at: date))
            }
            prefers(.power, for: .crank, at: date)
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

    /// Notes that a service measures a quantity, and returns whether no preferred one does.
    @discardableResult
    private mutating func prefers(_ service: Service, for measured: Measured, at date: Date) -> Bool {
        priority.admits(measured.rawValue, at: date, from: service.rawValue)
    }
}

// MARK: - On a machine

extension MotionReadings {
    /// HealthKit's types, and neutral ones for other quantities.
    private mutating func read(_ data: FitnessMachineData, at date: Date) -> [QuantityReading] {
        let walks = activity == "walking" || activity == "hiking"
        let (kind, cadenceFactor): (String, Double) =
            switch data.machine {
            case .treadmill: (walks ? "walking" : "running", 1)
            // A cycle of the neutral cadence is two steps.
            case .crossTrainer: ("elliptical", 0.5)
            case .rower: ("rowing", 1)
            case .indoorBike: ("cycling", 1)
            }
        let types = MotionKinds(ActivityDescription(activity: kind), sensor: sensor)
        func reading(_ kind: ReadingKind?, _ value: Double?, from start: Date? = nil) -> [QuantityReading] {
            guard let kind, let value else { return [] }
            return [self.reading(kind.type, value, kind.unit, from: start, at: date)]
        }
        var readings: [QuantityReading] = []
        if prefers(.machine, for: .wheel, at: date) {
            let speed =
                walks && data.machine == .treadmill
                ? ReadingKind("walkingSpeed", unit: "m/s", sensor: sensor) : types.speed
            readings += reading(speed, data.speedInMetersPerSecond)
            if let (meters, start) = distance(of: data, at: date) {
                readings += reading(types.distance, meters, from: start)
            }
        }
        if let cadence = data.cadencePerMinute, prefers(.machine, for: .crank, at: date) {
            readings += reading(types.cadence, cadence * cadenceFactor)
        }
        if let power = data.powerInWatts, prefers(.machine, for: .power, at: date) {
            readings += reading(types.power, Double(power))
        }
        if let percent = data.inclinationInPercent {
            readings.append(self.reading(NeutralType.inclination, percent / 100, "%", at: date))
        }
        if let level = data.resistanceLevel {
            readings.append(self.reading(NeutralType.resistanceLevel, level, "count", at: date))
        }
        if let heartRate = data.heartRate {
            readings.append(self.reading(QuantityReading.heartRateType, Double(heartRate), "count/min", at: date))
        }
        return readings
    }
    /// Returns the metres since the last notification, from the machine's counter, or from its speed if it has none.
    private mutating func distance(of data: FitnessMachineData, at date: Date) -> (meters: Double, start: Date)? {
        if let total = data.totalDistanceInMeters {
            defer { lastMachineDistance = date }
            guard let meters = machine.add(total, at: date), meters > 0, let start = lastMachineDistance else {
                return nil
            }
            return (meters, start)
        }
        guard let speed = data.speedInMetersPerSecond else { return nil }
        defer { lastMachineSpeed = date }
        // The counter may come in separate notifications.
        guard lastMachineDistance == nil, speed > 0, let start = lastMachineSpeed else { return nil }
        let seconds = date.timeIntervalSince(start)
        guard seconds > 0, seconds <= RunningOdometer.maximumSilenceInSeconds else { return nil }
        return (speed * seconds, start)
    }
}
