/// A value of the Indoor Bike Data characteristic, as a trainer or spinning bike sends it.
///
/// Bit 0 of the flags is "more data": if it is set, there is no speed, because the packet goes on where the last one
/// ended. Decoding never traps. An announced field that is cut off is left out, and so are all behind it; reserved flags
/// and bytes after the last announced field are ignored. Implausible values are kept as sent.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.9; GATT Specification Supplement, "Indoor Bike Data".
public struct IndoorBikeData: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2AD2

    public var speedInKilometersPerHour: Double?
    public var averageSpeedInKilometersPerHour: Double?
    public var cadencePerMinute: Double?
    public var averageCadencePerMinute: Double?
    public var totalDistanceInMeters: UInt32?
    public var resistanceLevel: Int16?
    public var powerInWatts: Int16?
    public var averagePowerInWatts: Int16?
    public var energy: MachineEnergy?
    public var heartRate: UInt8?
    /// The metabolic equivalent.
    public var metabolicEquivalent: Double?
    public var elapsedSeconds: UInt16?
    public var remainingSeconds: UInt16?
    /// Whether the packet ended within an announced field.
    public var isCut = false

    public init() {}

    /// - Returns: Nil if there are no complete flags: fewer than 2 bytes.
    public init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let flags = cursor.uint16(bytes) else { return nil }
        func has(_ bit: UInt16) -> Bool { flags & 1 << bit != 0 }
        if !has(0) { speedInKilometersPerHour = cursor.uint16(bytes).map { Double($0) / 100 } }
        if has(1) { averageSpeedInKilometersPerHour = cursor.uint16(bytes).map { Double($0) / 100 } }
        if has(2) { cadencePerMinute = cursor.uint16(bytes).map { Double($0) / 2 } }
        if has(3) { averageCadencePerMinute = cursor.uint16(bytes).map { Double($0) / 2 } }
        if has(4) { totalDistanceInMeters = cursor.uint24(bytes) }
        if has(5) { resistanceLevel = cursor.int16(bytes) }
        if has(6) { powerInWatts = cursor.int16(bytes) }
        if has(7) { averagePowerInWatts = cursor.int16(bytes) }
        if has(8) { energy = MachineEnergy(bytes, &cursor) }
        if has(9) { heartRate = cursor.uint8(bytes) }
        if has(10) { metabolicEquivalent = cursor.uint8(bytes).map { Double($0) / 10 } }
        if has(11) { elapsedSeconds = cursor.uint16(bytes) }
        if has(12) { remainingSeconds = cursor.uint16(bytes) }
        isCut = cursor.isCut
    }

    public init?(_ bytes: some Collection<UInt8>) {
        guard let data = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = data
    }

    /// The packet. Speeds are rounded to 0.01 km/h, cadences to half a turn, the metabolic equivalent to 0.1.
    public var bytes: [UInt8] {
        var flags: UInt16 = 0
        var fields = FieldWriter()
        func add(_ bit: UInt16, _ value: Double?, in unit: Double) {
            guard let value else { return }
            flags |= 1 << bit
            fields.add(value, in: unit, as: UInt16.self)
        }
        func add(_ bit: UInt16, _ value: (some FixedWidthInteger)?) {
            guard let value else { return }
            flags |= 1 << bit
            fields.add(value)
        }
        if let speedInKilometersPerHour {
            fields.add(speedInKilometersPerHour, in: 0.01, as: UInt16.self)
        } else {
            flags |= 1 << 0
        }
        add(1, averageSpeedInKilometersPerHour, in: 0.01)
        add(2, cadencePerMinute, in: 0.5)
        add(3, averageCadencePerMinute, in: 0.5)
        if let totalDistanceInMeters {
            flags |= 1 << 4
            fields.addUInt24(min(totalDistanceInMeters, 0xFF_FFFF))
        }
        add(5, resistanceLevel)
        add(6, powerInWatts)
        add(7, averagePowerInWatts)
        if let energy {
            add(8, energy.totalInKilocalories)
            fields.add(energy.kilocaloriesPerHour)
            fields.add(energy.kilocaloriesPerMinute)
        }
        add(9, heartRate)
        add(10, metabolicEquivalent.map { FieldWriter.clamped($0 * 10, to: UInt8.self) })
        add(11, elapsedSeconds)
        add(12, remainingSeconds)
        var packet = FieldWriter()
        packet.add(flags)
        return packet.bytes + fields.bytes
    }
}
