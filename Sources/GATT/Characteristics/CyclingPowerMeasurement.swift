/// A value of the Cycling Power Measurement characteristic.
///
/// A packet of the default ATT_MTU cannot hold all fields, so meters send them in turns, and a missing field means
/// nothing. Decoding never traps. An announced field that is cut off is left out; reserved flags and bytes after the
/// last announced field are ignored. Implausible values are kept as sent.
///
/// Source: Bluetooth SIG, Cycling Power Service 1.1, section 3.2; GATT Specification Supplement, "Cycling Power
/// Measurement".
public struct CyclingPowerMeasurement: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2A63
    /// Ticks per second in the time of the wheel's last turn: twice those of a speed sensor.
    public static let wheelTicksPerSecond = 2048.0

    /// The power. It is negative if the pedals are driven.
    public var powerInWatts: Int16
    /// The share of one pedal; see `balanceIsOfLeftPedal`.
    public var pedalBalanceInPercent: Double?
    /// Whether the balance is certainly that of the left pedal.
    public var balanceIsOfLeftPedal: Bool
    /// The sum of the mean torques of all turns in 1/32 N·m. It rolls over.
    public var accumulatedTorque: UInt16?
    public var torqueSource: TorqueSource
    /// The wheel's turns, with times in 1/2048 s.
    public var wheel: WheelRevolutions?
    public var crank: CrankRevolutions?
    /// The extreme forces of one turn in newtons.
    public var extremeForces: Extremes?
    /// The extreme torques of one turn in 1/32 N·m.
    public var extremeTorques: Extremes?
    /// The angles of the extremes in a turn, in degrees. Some meters send angles above 360.
    public var extremeAngles: Extremes?
    public var topDeadSpotInDegrees: UInt16?
    public var bottomDeadSpotInDegrees: UInt16?
    public var accumulatedEnergyInKilojoules: UInt16?
    /// Whether the meter asks to have its zero offset set.
    public var asksForOffsetCompensation: Bool
    /// Whether the packet ended within an announced field.
    public var isCut: Bool

    public enum TorqueSource: Sendable, Equatable { case wheel, crank }

    public struct Extremes: Sendable, Equatable {
        public var maximum: Int16
        public var minimum: Int16

        public init(maximum: Int16, minimum: Int16) {
            self.maximum = maximum
            self.minimum = minimum
        }
    }

    public init(powerInWatts: Int16, wheel: WheelRevolutions? = nil, crank: CrankRevolutions? = nil) {
        self.powerInWatts = powerInWatts
        balanceIsOfLeftPedal = false
        self.wheel = wheel
        self.crank = crank
        torqueSource = .wheel
        asksForOffsetCompensation = false
        isCut = false
    }

    /// The packet. It may be longer than the 20 bytes that a link with the default ATT_MTU carries.
    public var bytes: [UInt8] {
        var flags: UInt16 = 0
        var fields = FieldWriter()
        fields.add(powerInWatts)
        if let pedalBalanceInPercent {
            flags |= 1 << 0
            fields.add(pedalBalanceInPercent, in: 0.5, as: UInt8.self)
        }
        if balanceIsOfLeftPedal { flags |= 1 << 1 }
        if let accumulatedTorque {
            flags |= 1 << 2
            fields.add(accumulatedTorque)
        }
        if torqueSource == .crank { flags |= 1 << 3 }
        if let wheel {
            flags |= 1 << 4
            wheel.write(to: &fields)
        }
        if let crank {
            flags |= 1 << 5
            crank.write(to: &fields)
        }
        for (bit, extremes) in [(6, extremeForces), (7, extremeTorques)] {
            guard let extremes else { continue }
            flags |= 1 << bit
            fields.add(extremes.maximum)
            fields.add(extremes.minimum)
        }
        if let extremeAngles {
            flags |= 1 << 8
            let maximum = UInt32(truncatingIfNeeded: extremeAngles.maximum) & 0xFFF
            fields.addUInt24(maximum | UInt32(truncatingIfNeeded: extremeAngles.minimum) << 12)
        }
        for (bit, value) in [
            (9, topDeadSpotInDegrees), (10, bottomDeadSpotInDegrees), (11, accumulatedEnergyInKilojoules),
        ] {
            guard let value else { continue }
            flags |= 1 << bit
            fields.add(value)
        }
        if asksForOffsetCompensation { flags |= 1 << 12 }
        var packet = FieldWriter()
        packet.add(flags)
        return packet.bytes + fields.bytes
    }

    /// - Returns: Nil if there is no complete power: fewer than 4 bytes.
    public init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let flags = cursor.uint16(bytes), let power = cursor.int16(bytes) else { return nil }
        func has(_ bit: UInt16) -> Bool { flags & 1 << bit != 0 }
        powerInWatts = power
        if has(0) { pedalBalanceInPercent = cursor.uint8(bytes).map { Double($0) / 2 } }
        balanceIsOfLeftPedal = has(1)
        if has(2) { accumulatedTorque = cursor.uint16(bytes) }
        torqueSource = has(3) ? .crank : .wheel
        if has(4) { wheel = WheelRevolutions(bytes, &cursor) }
        if has(5) { crank = CrankRevolutions(bytes, &cursor) }
        if has(6) { extremeForces = Self.extremes(bytes, &cursor) }
        if has(7) { extremeTorques = Self.extremes(bytes, &cursor) }
        if has(8) {
            extremeAngles = cursor.uint24(bytes).map {
                Extremes(maximum: Int16($0 & 0xFFF), minimum: Int16($0 >> 12))
            }
        }
        if has(9) { topDeadSpotInDegrees = cursor.uint16(bytes) }
        if has(10) { bottomDeadSpotInDegrees = cursor.uint16(bytes) }
        if has(11) { accumulatedEnergyInKilojoules = cursor.uint16(bytes) }
        asksForOffsetCompensation = has(12)
        isCut = cursor.isCut
    }

    public init?(_ bytes: some Collection<UInt8>) {
        guard let measurement = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = measurement
    }

    private static func extremes(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) -> Extremes? {
        guard let maximum = cursor.int16(bytes), let minimum = cursor.int16(bytes) else { return nil }
        return Extremes(maximum: maximum, minimum: minimum)
    }
}
