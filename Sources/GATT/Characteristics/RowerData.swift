/// A value of the Rower Data characteristic.
///
/// Bit 0 of the flags is "more data": if it is set, there is no stroke rate and count, because the rest of the moment follows in the next packet. Decoding
/// never traps. An announced field that is cut off is left out, and so are all behind it; reserved flags and bytes after
/// the last announced field are ignored. Implausible values are kept as sent.
///
/// Source: Bluetooth SIG, Fitness Machine Service 1.0, section 4.8; GATT Specification Supplement, "Rower Data".
public struct RowerData: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2AD1

    public var strokesPerMinute: Double?
    public var strokeCount: UInt16?
    public var averageStrokesPerMinute: Double?
    public var totalDistanceInMeters: UInt32?
    public var secondsPer500Meters: UInt16?
    public var averageSecondsPer500Meters: UInt16?
    public var powerInWatts: Int16?
    public var averagePowerInWatts: Int16?
    public var resistanceLevel: Int16?
    public var energy: MachineEnergy?
    public var heartRate: UInt8?
    public var metabolicEquivalent: Double?
    public var elapsedSeconds: UInt16?
    public var remainingSeconds: UInt16?
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
        if !has(0) {
            strokesPerMinute = cursor.uint8(bytes).map { Double($0) / 2 }
            strokeCount = cursor.uint16(bytes)
        }
        if has(1) { averageStrokesPerMinute = cursor.uint8(bytes).map { Double($0) / 2 } }
        if has(2) { totalDistanceInMeters = cursor.uint24(bytes) }
        if has(3) { secondsPer500Meters = cursor.uint16(bytes) }
        if has(4) { averageSecondsPer500Meters = cursor.uint16(bytes) }
        if has(5) { powerInWatts = cursor.int16(bytes) }
        if has(6) { averagePowerInWatts = cursor.int16(bytes) }
        if has(7) { resistanceLevel = cursor.int16(bytes) }
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
}
