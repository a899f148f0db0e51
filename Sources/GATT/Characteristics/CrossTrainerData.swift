/// A value of the Cross Trainer Data characteristic. Its flags have three bytes.
///
/// Bit 0 of the flags is "more data": if it is set, there is no speed, because the rest of the moment follows in the next packet. Decoding
/// never traps. An announced field that is cut off is left out, and so are all behind it; reserved flags and bytes after
/// the last announced field are ignored. Implausible values are kept as sent.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.5; GATT Specification Supplement, "Cross Trainer Data".
public struct CrossTrainerData: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2ACE

    public var speedInKilometersPerHour: Double?
    public var averageSpeedInKilometersPerHour: Double?
    public var totalDistanceInMeters: UInt32?
    public var stepsPerMinute: UInt16?
    public var averageStepsPerMinute: UInt16?
    public var strideCount: Double?
    public var ascentInMeters: UInt16?
    public var descentInMeters: UInt16?
    public var inclinationInPercent: Double?
    public var rampAngleInDegrees: Double?
    public var resistanceLevel: Double?
    public var powerInWatts: Int16?
    public var averagePowerInWatts: Int16?
    public var energy: MachineEnergy?
    public var heartRate: UInt8?
    public var metabolicEquivalent: Double?
    public var elapsedSeconds: UInt16?
    public var remainingSeconds: UInt16?
    public var movesBackwards: Bool
    /// Whether the packet ended within an announced field.
    public var isCut = false
    /// Whether more of this moment follows in the next packet.
    public var isContinued: Bool

    /// - Returns: Nil if there are no complete flags: fewer than 3 bytes.
    public init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let flags = cursor.uint24(bytes) else { return nil }
        func has(_ bit: UInt32) -> Bool { flags & 1 << bit != 0 }
        isContinued = has(0)
        movesBackwards = has(15)
        if !has(0) { speedInKilometersPerHour = cursor.uint16(bytes).map { Double($0) / 100 } }
        if has(1) { averageSpeedInKilometersPerHour = cursor.uint16(bytes).map { Double($0) / 100 } }
        if has(2) { totalDistanceInMeters = cursor.uint24(bytes) }
        if has(3) {
            stepsPerMinute = cursor.uint16(bytes)
            averageStepsPerMinute = cursor.uint16(bytes)
        }
        if has(4) { strideCount = cursor.uint16(bytes).map { Double($0) / 10 } }
        if has(5) {
            ascentInMeters = cursor.uint16(bytes)
            descentInMeters = cursor.uint16(bytes)
        }
        if has(6) {
            inclinationInPercent = cursor.int16(bytes).map { Double($0) / 10 }
            rampAngleInDegrees = cursor.int16(bytes).map { Double($0) / 10 }
        }
        if has(7) { resistanceLevel = cursor.int16(bytes).map { Double($0) / 10 } }
        if has(8) { powerInWatts = cursor.int16(bytes) }
        if has(9) { averagePowerInWatts = cursor.int16(bytes) }
        if has(10) { energy = MachineEnergy(bytes, &cursor) }
        if has(11) { heartRate = cursor.uint8(bytes) }
        if has(12) { metabolicEquivalent = cursor.uint8(bytes).map { Double($0) / 10 } }
        if has(13) { elapsedSeconds = cursor.uint16(bytes) }
        if has(14) { remainingSeconds = cursor.uint16(bytes) }
        isCut = cursor.isCut
    }

    public init?(_ bytes: some Collection<UInt8>) {
        guard let data = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = data
    }
}
