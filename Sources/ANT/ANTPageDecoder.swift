import Bluetooth
package import GATT

/// What one ANT+ sensor measures, from its pages of eight bytes, as values of Bluetooth's profiles.
///
/// Sensors repeat a page four times a second. Once a second, one value with everything received since is passed on, as
/// by a Bluetooth sensor. Pure: events carry the time.
///
/// Source: ANT+ device profiles: Heart Rate Monitor 2.1, Bicycle Power 5.0, Bike Speed and Cadence 2.0, Fitness Equipment 5.0,
/// Stride Based Speed and Distance Monitor 2.4; ANT+ Common Pages 3.1. How the profiles number their bytes was checked against open
/// programs that read them (GoldenCheetah, openant).
package struct ANTPageDecoder: Sendable {
    package enum Output: Sendable, Equatable {
        case measurement(BluetoothUUID, [UInt8])
        /// 0 … 100.
        case battery(Int)
        case information(DeviceInformation.Field, String)
    }

    /// Between two values. Four messages come within a second, not at the same places in each.
    static let interval = Duration.milliseconds(950)
    /// Earlier values are out of date after this time without a heartbeat or a message.
    static let stale = Duration.seconds(5)

    package let device: ANTDeviceID
    /// The kind of a fitness machine, once it has reported it.
    package private(set) var machine: FitnessMachineData.Machine?
    private var lastOutput: Duration?
    private var lastPage: Duration?
    private var heart = Heart()
    private var turns = Counter<UInt16>()
    private var power = Power()
    private var equipment = Equipment()
    private var stride = Stride()

    package init(_ device: ANTDeviceID) {
        self.device = device
    }

    /// - Parameter page: Eight bytes. Other lengths are ignored.
    package mutating func read(_ page: [UInt8], at now: Duration) -> [Output] {
        guard page.count == 8 else { return [] }
        if let lastPage, now - lastPage > Self.stale { forget() }
        lastPage = now
        return switch device.kind {
        case .heartRate: readHeartRate(page, at: now)
        case .speed: readTurns(page, isWheel: true, at: now)
        case .cadence: readTurns(page, isWheel: false, at: now)
        case .speedAndCadence: readSpeedAndCadence(page, at: now)
        case .power: readPower(page, at: now)
        case .fitnessEquipment: readEquipment(page, at: now)
        case .strideSensor: readStride(page, at: now)
        }
    }

    /// The sensor was away: its counters have gone on meanwhile.
    private mutating func forget() {
        heart = Heart()
        power = Power()
        equipment.odometer = Counter()
        stride = Stride()
        lastOutput = nil
    }

    private mutating func isDue(at now: Duration) -> Bool {
        if let lastOutput, now - lastOutput < Self.interval { return false }
        lastOutput = now
        return true
    }

    private func word(_ page: [UInt8], _ place: Int) -> UInt16 { UInt16(littleEndian: page.span, at: place) }
}

/// A counter that wraps around, and its total since the first value.
private struct Counter<Value: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var last: Value?
    private(set) var total: UInt32 = 0

    mutating func advance(to value: Value) {
        total &+= last.map { UInt32(truncatingIfNeeded: value &- $0) } ?? 0
        last = value
    }
}

// MARK: - Heart rate

extension ANTPageDecoder {
    private struct Heart: Sendable {
        var beats: UInt8?
        var time: UInt16 = 0
        var lastBeat: Duration?
        var intervals: [UInt16] = []
        /// The first sensors sent other bytes in place of page numbers. Newer ones toggle a bit from time to time.
        var toggle: Bool?
        var hasPages = false
    }

    /// The beats of the heart rate profile: the number of the last one and its time in 1/1024 s, and since page 4 that of the one before.
    private mutating func readHeartRate(_ page: [UInt8], at now: Duration) -> [Output] {
        let toggle = page[0] & 0x80 != 0
        if let before = heart.toggle, before != toggle { heart.hasPages = true }
        heart.toggle = toggle
        let number = heart.hasPages ? page[0] & 0x7F : 0
        let (time, beats, rate) = (word(page, 4), page[6], page[7])
        if let before = heart.beats {
            switch beats &- before {
            case 0: break
            case 1: heart.intervals.append(time &- heart.time)
            case 2 where number == 4:
                let previous = word(page, 2)
                heart.intervals += [previous &- heart.time, time &- previous]
            default:
                // Beats were missed; only the last interval is known, and only from page 4.
                if number == 4 { heart.intervals.append(time &- word(page, 2)) }
            }
            if beats != before { heart.lastBeat = now }
        } else {
            heart.lastBeat = now
        }
        heart.beats = beats
        heart.time = time
        return information(page, number) + heartRate(rate, at: now)
    }

    private mutating func heartRate(_ rate: UInt8, at now: Duration) -> [Output] {
        // A sensor that is off keeps its last value for a while.
        guard let lastBeat = heart.lastBeat, now - lastBeat < Self.stale, rate > 0, isDue(at: now) else { return [] }
        var intervals = RRIntervals()
        for interval in heart.intervals.suffix(RRIntervals.inlineCapacity) { intervals.append(interval) }
        heart.intervals = []
        return [
            .measurement(
                .heartRateMeasurement, HeartRateMeasurement(heartRate: UInt16(rate), rrIntervals: intervals).bytes)
        ]
    }

    /// The pages 2, 3 and 7 of the heart rate profile; 2 and 3 are the same for speed and cadence.
    private func information(_ page: [UInt8], _ number: UInt8) -> [Output] {
        switch number {
        case 2:
            // The upper half of the serial number; the lower one is the sensor's number.
            let serial = UInt32(word(page, 2)) << 16 | UInt32(device.number)
            return Self.manufacturer(UInt16(page[1])) + [.information(.serialNumber, "\(serial)")]
        case 3:
            return [
                .information(.hardwareRevision, "\(page[1])"), .information(.softwareRevision, "\(page[2])"),
                .information(.modelNumber, "\(page[3])"),
            ]
        case 7 where device.kind == .heartRate && page[1] <= 100:
            return [.battery(Int(page[1]))]
        default:
            return []
        }
    }

    private static func manufacturer(_ number: UInt16) -> [Output] {
        guard number != 0, number != 0xFFFF else { return [] }
        return [.information(.manufacturerName, ANTManufacturer.name(number) ?? "ANT+ manufacturer \(number)")]
    }

    /// The pages 80 and 81 that all newer profiles share.
    private func commonInformation(_ page: [UInt8]) -> [Output] {
        switch page[0] {
        case 80:
            return Self.manufacturer(word(page, 4)) + [
                .information(.hardwareRevision, "\(page[3])"), .information(.modelNumber, "\(word(page, 6))"),
            ]
        case 81:
            let serial = UInt32(littleEndian: page.span, at: 4)
            let version = page[2] == 0xFF ? "\(page[3] / 10).\(page[3] % 10)" : "\(Int(page[3]) * 100 + Int(page[2]))"
            return [.information(.softwareRevision, version)]
                + (serial == .max ? [] : [.information(.serialNumber, "\(serial)")])
        default:
            return []
        }
    }
}

// MARK: - Wheel and crank

extension ANTPageDecoder {
    /// One counter: the time of the last turn in 1/1024 s, and the number of turns.
    private mutating func readTurns(_ page: [UInt8], isWheel: Bool, at now: Duration) -> [Output] {
        let known = information(page, page[0] & 0x7F)
        let (time, count) = (word(page, 4), word(page, 6))
        turns.advance(to: count)
        guard isDue(at: now) else { return known }
        let measurement =
            isWheel
            ? CyclingSpeedCadenceMeasurement(wheel: WheelRevolutions(count: turns.total, eventTime: time))
            : CyclingSpeedCadenceMeasurement(crank: CrankRevolutions(count: count, eventTime: time))
        return known + [.measurement(.cyclingSpeedAndCadenceMeasurement, measurement.bytes)]
    }

    /// Both in one page without a number.
    private mutating func readSpeedAndCadence(_ page: [UInt8], at now: Duration) -> [Output] {
        turns.advance(to: word(page, 6))
        guard isDue(at: now) else { return [] }
        let measurement = CyclingSpeedCadenceMeasurement(
            wheel: WheelRevolutions(count: turns.total, eventTime: word(page, 4)),
            crank: CrankRevolutions(count: word(page, 2), eventTime: word(page, 0)))
        return [.measurement(.cyclingSpeedAndCadenceMeasurement, measurement.bytes)]
    }
}

// MARK: - Power

extension ANTPageDecoder {
    private struct Power: Sendable {
        var events: UInt8?
        /// Accumulated watts of page 16, or accumulated torque in 1/32 Nm.
        var sum: UInt16 = 0
        /// The time of the turns of the torque pages, in 1/2048 s.
        var period: UInt16 = 0
        var lastEvent: Duration?
        var sendsPower = false
        /// Since the last value.
        var watts: [Double] = []
        var turns = Counter<UInt8>()
        var crank: TurningCounter?
    }

    private mutating func readPower(_ page: [UInt8], at now: Duration) -> [Output] {
        switch page[0] {
        case 0x10:
            power.sendsPower = true
            return powerOnly(page, at: now)
        case 0x11, 0x12: return torque(page, at: now)
        default: return commonInformation(page)
        }
    }

    /// Page 16. The sum counts each event, so missed messages lose nothing.
    private mutating func powerOnly(_ page: [UInt8], at now: Duration) -> [Output] {
        let (events, sum, watts) = (page[1], word(page, 4), word(page, 6))
        if let before = power.events {
            let count = events &- before
            if count > 0 {
                let mean = Double(sum &- power.sum) / Double(count)
                // A sum that was reset is not a smaller one.
                power.watts.append(abs(mean - Double(watts)) < 2000 ? mean : Double(watts))
                power.lastEvent = now
            }
        } else {
            power.watts.append(Double(watts))
            power.lastEvent = now
        }
        power.events = events
        power.sum = sum
        var measurement = value(at: now)
        if page[2] != 0xFF {
            // The share is of the right pedal, if the meter knows it. Bluetooth states that of the left one.
            let share = Double(page[2] & 0x7F)
            let isOfRightPedal = page[2] & 0x80 != 0
            measurement?.pedalBalanceInPercent = isOfRightPedal ? max(100 - share, 0) : share
            measurement?.balanceIsOfLeftPedal = isOfRightPedal
        }
        return outputs(measurement, cadence: page[3], at: now)
    }

    /// Pages 17 and 18: P = torque · angular velocity = (Δtorque / 32) · 2π · 2048 / Δperiod for each turn.
    private mutating func torque(_ page: [UInt8], at now: Duration) -> [Output] {
        let (events, period, sum) = (page[1], word(page, 4), word(page, 6))
        if page[0] == 0x11 { power.turns.advance(to: page[2]) }
        // A meter that sends the power itself sends the torque besides.
        guard !power.sendsPower else { return [] }
        if let before = power.events {
            let gained = period &- power.period
            if events != before, gained > 0 {
                power.watts.append(128 * .pi * Double(sum &- power.sum) / Double(gained))
                power.lastEvent = now
            }
        }
        power.events = events
        power.sum = sum
        power.period = period
        var measurement = value(at: now)
        if page[0] == 0x11 { measurement?.wheel = WheelRevolutions(count: power.turns.total, eventTime: period) }
        return outputs(measurement, cadence: page[3], at: now)
    }

    /// The mean since the last value. 0 if nothing has turned for a while.
    private mutating func value(at now: Duration) -> CyclingPowerMeasurement? {
        let isStill = power.lastEvent.map { now - $0 >= .seconds(3) } ?? false
        guard !power.watts.isEmpty || isStill, isDue(at: now) else { return nil }
        let watts = power.watts.isEmpty ? 0 : power.watts.reduce(0, +) / Double(power.watts.count)
        power.watts = []
        return CyclingPowerMeasurement(powerInWatts: FieldWriter.clamped(watts, to: Int16.self))
    }

    /// ANT+ has the cadence as a number, Bluetooth's power profile a counter of turns and the time of the last one.
    private mutating func outputs(_ measurement: CyclingPowerMeasurement?, cadence: UInt8, at now: Duration) -> [Output]
    {
        guard var measurement else { return [] }
        if cadence != 0xFF {
            let seconds = now / .seconds(1)
            var crank = power.crank ?? TurningCounter(startingAt: seconds)
            crank.advance(to: seconds, turnsPerSecond: Double(cadence) / 60)
            measurement.crank = crank.crank
            power.crank = crank
        }
        return [.measurement(.cyclingPowerMeasurement, measurement.bytes)]
    }
}

// MARK: - Fitness equipment

extension ANTPageDecoder {
    private struct Equipment: Sendable {
        var odometer = Counter<UInt8>()
        var speed: Double?
        var distance: UInt32?
        var heartRate: UInt8?
        var cadence: Double?
        var power: Int16?
        var inclination: Double?
        var resistance: Double?
    }

    private mutating func readEquipment(_ page: [UInt8], at now: Duration) -> [Output] {
        switch page[0] {
        case 16: readGeneral(page)
        case 17:
            let inclination = Int16(bitPattern: word(page, 4))
            equipment.inclination = inclination == .max ? nil : Double(inclination) / 100
            equipment.resistance = page[6] == 0xFF ? nil : Double(page[6]) / 2
        case 19: equipment.cadence = page[4] == 0xFF ? nil : Double(page[4])
        // Strides of an elliptical are two steps each.
        case 20: readMachine(page, cadenceFactor: 2)
        case 21, 22: readMachine(page, cadenceFactor: 1)
        case 25:
            equipment.cadence = page[2] == 0xFF ? nil : Double(page[2])
            let watts = Int16(page[5]) | Int16(page[6] & 0x0F) << 8
            equipment.power = watts == 0xFFF ? nil : watts
        default: return commonInformation(page)
        }
        guard let machine, isDue(at: now) else { return [] }
        var data = FitnessMachineData(machine)
        data.speedInMetersPerSecond = equipment.speed
        data.totalDistanceInMeters = equipment.distance
        data.heartRate = equipment.heartRate
        data.cadencePerMinute = equipment.cadence
        data.powerInWatts = equipment.power
        data.inclinationInPercent = equipment.inclination
        data.resistanceLevel = equipment.resistance
        return [.measurement(machine.characteristic, data.bytes)]
    }

    private mutating func readGeneral(_ page: [UInt8]) {
        machine =
            switch page[1] & 0x1F {
            case 19: .treadmill
            case 20, 23, 24: .crossTrainer
            case 22: .rower
            default: .indoorBike
            }
        // The capabilities say whether the distance counts.
        equipment.odometer.advance(to: page[3])
        equipment.distance = page[7] & 0x04 != 0 ? equipment.odometer.total : nil
        let speed = word(page, 4)
        equipment.speed = speed == 0xFFFF ? nil : Double(speed) / 1000
        equipment.heartRate = page[6] == 0xFF || page[6] == 0 ? nil : page[6]
    }

    private mutating func readMachine(_ page: [UInt8], cadenceFactor: Double) {
        equipment.cadence = page[4] == 0xFF ? nil : Double(page[4]) * cadenceFactor
        let watts = word(page, 5)
        equipment.power = watts == 0xFFFF ? nil : Int16(clamping: watts)
    }
}

// MARK: - Foot pod

extension ANTPageDecoder {
    private struct Stride: Sendable {
        var odometer = Counter<UInt8>()
        /// 1/16 m beyond the odometer's metres.
        var fraction: UInt8 = 0
        var strides = Counter<UInt8>()
        var speed: Double?
        /// Of page 2, in strides of one foot.
        var cadence: Double?
        var counted: (strides: UInt32, at: Duration)?
        var hasDistance = false
    }

    private mutating func readStride(_ page: [UInt8], at now: Duration) -> [Output] {
        switch page[0] {
        case 1:
            stride.odometer.advance(to: page[3])
            stride.fraction = page[4] >> 4
            stride.hasDistance = true
            stride.strides.advance(to: page[6])
            stride.speed = speed(page)
        case 2, 3:
            stride.cadence = Double(page[3]) + Double(page[4] >> 4) / 16
            stride.speed = speed(page)
        default: return commonInformation(page)
        }
        guard let speed = stride.speed, isDue(at: now) else { return [] }
        let cadence = stride.cadence ?? countedCadence(at: now) ?? 0
        // Bluetooth has decimetres.
        let decimeters = stride.odometer.total &* 10 &+ UInt32(stride.fraction) * 10 / 16
        let measurement = RunningSpeedCadenceMeasurement(
            speedInMetersPerSecond: speed, cadencePerMinute: FieldWriter.clamped(cadence, to: UInt8.self),
            totalDistanceInDecimeters: stride.hasDistance ? decimeters : nil, isRunning: cadence >= 70)
        return [.measurement(.runningSpeedAndCadenceMeasurement, measurement.bytes)]
    }

    private func speed(_ page: [UInt8]) -> Double { Double(page[4] & 0x0F) + Double(page[5]) / 256 }

    /// From the strides that the pod has counted, for pods that send no cadence.
    private mutating func countedCadence(at now: Duration) -> Double? {
        defer { stride.counted = (stride.strides.total, now) }
        guard let (before, since) = stride.counted, now > since else { return nil }
        return Double(stride.strides.total &- before) / ((now - since) / .seconds(60))
    }
}
