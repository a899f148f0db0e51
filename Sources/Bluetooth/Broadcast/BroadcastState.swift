public import GATT

/// What the source of a broadcast measured.
public enum BroadcastReading: Sendable, Equatable {
    /// The bytes of a measurement as a sensor sent them. They are passed on unchanged.
    case packet(BluetoothUUID, [UInt8])
    /// In beats per minute.
    case heartRate(Double)
    /// RR intervals in milliseconds, oldest first.
    case beats([Double])
    /// Whether the sensor has skin contact, or is there at all.
    case contact(Bool)
    /// Energy that was expended since the last reading.
    case energy(kilojoules: Double)
    case battery(percent: Int)
    case speed(metersPerSecond: Double)
    /// Turns or strides per minute.
    case cadence(perMinute: Double)
    case power(watts: Double)
    /// The distance covered since the last reading.
    case distance(meters: Double)
}

/// Turns the readings of a source into the notifications of a strap. Pure: time is a parameter.
///
/// A reading is sent ``Timings/gather`` after it came, together with what came in between, since a recording has heart
/// rate and beats in separate entries. A source that measures rarely is repeated once a second, as a strap would do; one
/// that has been silent for ``Timings/stale`` is not.
public struct BroadcastState: Sendable {
    public struct Timings: Sendable, Equatable {
        public var gather = Duration.milliseconds(30)
        /// The longest pause between two packets of a source that measures.
        public var longestPause = Duration.milliseconds(1200)
        public var stale = Duration.seconds(10)
        /// Energy is part of every tenth packet, as straps send it.
        public var packetsPerEnergy = 10

        public init() {}
    }

    public struct Notification: Sendable, Equatable {
        public var characteristic: BluetoothUUID
        public var bytes: [UInt8]

        public init(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) {
            self.characteristic = characteristic
            self.bytes = bytes
        }
    }

    /// The attribute protocol's error for a control point's unknown command (Heart Rate Service 1.0, section 1.6).
    public static let controlPointNotSupported: UInt8 = 0x80
    /// What a link with the default ATT_MTU carries in a notification.
    static let packetCapacity = 20

    public let offer: BroadcastOffer
    public let timings: Timings
    /// When ``timePassed(at:)`` is due. Nil if only a reading can change something.
    public private(set) var deadline: Duration?

    private struct Value: Sendable, Equatable {
        var value = 0.0
        var at = Duration.zero
    }

    private var heartRate: Value?
    private var hasContact: Bool?
    private var beats = BeatQueue()
    private var energyInKilojoules = 0.0
    private var packets = 0
    private var speed: Value?
    private var cadence: Value?
    private var power: Value?
    private var meters = 0.0
    private var wheel = TurningCounter()
    private var crank = TurningCounter()
    private var start: Duration?
    /// When a sensor's own packet of a characteristic came last. Readings of the same are not sent beside it.
    private var passedOn: [BluetoothUUID: Duration] = [:]
    private var battery: Int?

    public init(_ offer: BroadcastOffer, timings: Timings = Timings()) {
        self.offer = offer
        self.timings = timings
        battery = offer.batteryPercent
    }

    /// Takes readings. Returns what has to be sent at once.
    public mutating func take(_ readings: [BroadcastReading], at now: Duration) -> [Notification] {
        start = start ?? now
        var notifications: [Notification] = []
        for reading in readings {
            switch reading {
            case .packet(let characteristic, let bytes):
                guard offer.measurements.contains(characteristic) else { continue }
                passedOn[characteristic] = now
                notifications.append(Notification(characteristic, bytes))
                continue
            case .battery(let percent):
                guard offer.batteryPercent != nil, battery != percent else { continue }
                battery = percent
                notifications.append(Notification(.batteryLevel, BatteryLevel(percent: percent).bytes))
                continue
            case .heartRate(let value):
                heartRate = Value(value: value, at: now)
                hasContact = hasContact.map { _ in true }
            case .beats(let milliseconds): beats.add(milliseconds: milliseconds)
            case .contact(let touches):
                guard touches != hasContact else { continue }
                hasContact = touches
                if !touches {
                    heartRate = Value(value: 0, at: now)
                    beats.removeAll()
                }
            case .energy(let kilojoules):
                energyInKilojoules += max(0, kilojoules)
                continue
            case .speed(let value): speed = Value(value: value, at: now)
            case .cadence(let value): cadence = Value(value: value, at: now)
            case .power(let value): power = Value(value: value, at: now)
            case .distance(let value):
                meters += max(0, value)
                continue
            }
            deadline = min(deadline ?? now + timings.gather, now + timings.gather)
        }
        return notifications
    }

    /// The deadline may have passed.
    public mutating func timePassed(at now: Duration) -> [Notification] {
        guard let due = deadline, now >= due else { return [] }
        advanceTurns(to: now)
        let notifications = BroadcastOffer.measurementsInOrder.filter(offer.measurements.contains)
            .filter { characteristic in passedOn[characteristic].map { now - $0 > timings.stale } ?? true }
            .compactMap { characteristic in packet(characteristic, at: now).map { Notification(characteristic, $0) } }
        deadline = notifications.isEmpty ? nil : now + timings.longestPause
        return notifications
    }

    /// A subscriber writes to a control point.
    ///
    /// - Returns: The attribute protocol's error. Nil if it was accepted.
    public mutating func write(_ bytes: [UInt8], to characteristic: BluetoothUUID) -> UInt8? {
        guard characteristic == .heartRateControlPoint, bytes == [1] else { return Self.controlPointNotSupported }
        energyInKilojoules = 0
        // So that the next packet shows it.
        packets = 0
        return nil
    }
}

// MARK: - Packets

extension BroadcastState {
    private func fresh(_ value: Value?, _ now: Duration) -> Double? {
        value.flatMap { now - $0.at <= timings.stale ? $0.value : nil }
    }

    private mutating func packet(_ characteristic: BluetoothUUID, at now: Duration) -> [UInt8]? {
        switch characteristic {
        case .heartRateMeasurement: heartRatePacket(at: now)
        case .runningSpeedAndCadenceMeasurement: runningPacket(at: now)
        case .cyclingSpeedAndCadenceMeasurement: cyclingPacket(at: now)
        case .cyclingPowerMeasurement:
            fresh(power, now).map { watts in
                CyclingPowerMeasurement(
                    powerInWatts: FieldWriter.clamped(watts, to: Int16.self),
                    crank: fresh(cadence, now) == nil ? nil : crank.crank
                ).bytes
            }
        case .indoorBikeData: bikePacket(at: now)
        default: nil
        }
    }

    private mutating func heartRatePacket(at now: Duration) -> [UInt8]? {
        // A sensor without contact stays on the air.
        let rate = hasContact == false ? 0 : fresh(heartRate, now)
        guard rate != nil || !beats.isEmpty else { return nil }
        let bpm = FieldWriter.clamped(rate ?? 0, to: UInt16.self)
        let energy =
            offer.hasEnergy && packets.isMultiple(of: timings.packetsPerEnergy)
            ? FieldWriter.clamped(energyInKilojoules, to: UInt16.self) : nil
        packets += 1
        let room = Self.packetCapacity - (bpm > 255 ? 3 : 2) - (energy == nil ? 0 : 2)
        return HeartRateMeasurement(
            heartRate: bpm,
            sensorContact: hasContact.map { $0 ? .detected : .notDetected } ?? .notSupported,
            energyExpendedInKilojoules: energy, rrIntervals: beats.takePacket(atMost: room / 2)
        ).bytes
    }

    private func runningPacket(at now: Duration) -> [UInt8]? {
        guard let speed = fresh(speed, now) else { return nil }
        return RunningSpeedCadenceMeasurement(
            speedInMetersPerSecond: speed,
            cadencePerMinute: FieldWriter.clamped(fresh(cadence, now) ?? 0, to: UInt8.self),
            totalDistanceInDecimeters: FieldWriter.clamped(meters * 10, to: UInt32.self),
            // Walking ends at about 2.2 m/s.
            isRunning: speed > 2.2
        ).bytes
    }

    private func cyclingPacket(at now: Duration) -> [UInt8]? {
        let (speed, cadence) = (fresh(speed, now), fresh(cadence, now))
        guard speed != nil || cadence != nil else { return nil }
        return CyclingSpeedCadenceMeasurement(
            wheel: speed == nil ? nil : wheel.wheel, crank: cadence == nil ? nil : crank.crank
        ).bytes
    }

    private func bikePacket(at now: Duration) -> [UInt8]? {
        var data = IndoorBikeData()
        let power = fresh(power, now)
        let cadence = fresh(cadence, now)
        let speed = fresh(speed, now)
        guard power != nil || cadence != nil || speed != nil else { return nil }
        // Without a speed the flag would mean that the packet goes on.
        data.speedInKilometersPerHour = (speed ?? 0) * 3.6
        data.cadencePerMinute = cadence
        data.powerInWatts = power.map { FieldWriter.clamped($0, to: Int16.self) }
        data.totalDistanceInMeters = FieldWriter.clamped(meters, to: UInt32.self)
        data.heartRate = fresh(heartRate, now).map { FieldWriter.clamped($0, to: UInt8.self) }
        data.elapsedSeconds = FieldWriter.clamped((now - (start ?? now)) / .seconds(1), to: UInt16.self)
        return data.bytes
    }

    private mutating func advanceTurns(to now: Duration) {
        let seconds = now / .seconds(1)
        let speed = fresh(speed, now) ?? 0
        wheel.advance(to: seconds, turnsPerSecond: speed / WheelOdometer.defaultCircumferenceInMeters)
        crank.advance(to: seconds, turnsPerSecond: (fresh(cadence, now) ?? 0) / 60)
    }
}
