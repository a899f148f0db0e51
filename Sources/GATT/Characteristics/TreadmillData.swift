/// A value of the Treadmill Data characteristic.
///
/// Bit 0 of the flags is "more data": if it is set, there is no speed, because the rest of the moment follows in the next packet. Decoding
/// never traps. An announced field that is cut off is left out, and so are all behind it; reserved flags and bytes after
/// the last announced field are ignored. Implausible values are kept as sent.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.4; GATT Specification Supplement, "Treadmill Data".
public struct TreadmillData: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2ACD

    public var speedInKilometersPerHour: Double?
    public var averageSpeedInKilometersPerHour: Double?
    public var totalDistanceInMeters: UInt32?
    public var inclinationInPercent: Double?
    public var rampAngleInDegrees: Double?
    public var ascentInMeters: Double?
    public var descentInMeters: Double?
    /// In kilometres per minute, as the specification has it.
    public var paceInKilometersPerMinute: Double?
    public var averagePaceInKilometersPerMinute: Double?
    public var energy: MachineEnergy?
    public var heartRate: UInt8?
    public var metabolicEquivalent: Double?
    public var elapsedSeconds: UInt16?
    public var remainingSeconds: UInt16?
    /// The force on the belt in newtons.
    public var forceOnBelt: Int16?
    public var powerInWatts: Int16?
    /// Whether the packet ended within an announced field.
    public var isCut = false
    /// Whether more of this moment follows in the next packet.
    public var isContinued: Bool

    /// - Returns: Nil if there are no complete flags: fewer than 2 bytes.
    public init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let flags = cursor.uint16(bytes) else { return nil }
        func has(_ bit: UInt16) -> Bool { flags & 1 << bit != 0 }
        isContinued = has(0)
        if !has(0) { speedInKilometersPerHour = cursor.uint16(bytes).map { Double($0) / 100 } }
        if has(1) { averageSpeedInKilometersPerHour = cursor.uint16(bytes).map { Double($0) / 100 } }
        if has(2) { totalDistanceInMeters = cursor.uint24(bytes) }
        if has(3) {
            inclinationInPercent = cursor.int16(bytes).map { Double($0) / 10 }
            rampAngleInDegrees = cursor.int16(bytes).map { Double($0) / 10 }
        }
        if has(4) {
            ascentInMeters = cursor.uint16(bytes).map { Double($0) / 10 }
            descentInMeters = cursor.uint16(bytes).map { Double($0) / 10 }
        }
        if has(5) { paceInKilometersPerMinute = cursor.uint8(bytes).map { Double($0) / 10 } }
        if has(6) { averagePaceInKilometersPerMinute = cursor.uint8(bytes).map { Double($0) / 10 } }
        if has(7) { energy = MachineEnergy(bytes, &cursor) }
        if has(8) { heartRate = cursor.uint8(bytes) }
        if has(9) { metabolicEquivalent = cursor.uint8(bytes).map { Double($0) / 10 } }
        if has(10) { elapsedSeconds = cursor.uint16(bytes) }
        if has(11) { remainingSeconds = cursor.uint16(bytes) }
        if has(12) {
            forceOnBelt = cursor.int16(bytes)
            powerInWatts = cursor.int16(bytes)
        }
        isCut = cursor.isCut
    }

    public init?(_ bytes: some Collection<UInt8>) {
        guard let data = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = data
    }
}
