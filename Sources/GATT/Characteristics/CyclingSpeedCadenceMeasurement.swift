/// A value of the CSC Measurement characteristic: the turns of a bicycle's wheel and crank.
///
/// ``WheelOdometer`` and ``CrankCadence`` compute speed, distance and cadence from it. Decoding never traps. An
/// announced part that is cut off is left out; reserved flags and bytes after the last announced field are ignored.
///
/// Source: Bluetooth SIG, Cycling Speed and Cadence Service 1.0, section 3.1; GATT Specification Supplement, "CSC
/// Measurement".
public struct CyclingSpeedCadenceMeasurement: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2A5B
    /// Ticks per second in the times of both events.
    public static let ticksPerSecond = 1024.0

    public var wheel: WheelRevolutions?
    public var crank: CrankRevolutions?
    /// Whether the packet ended within an announced field.
    public var isCut: Bool

    public init(wheel: WheelRevolutions? = nil, crank: CrankRevolutions? = nil) {
        self.wheel = wheel
        self.crank = crank
        isCut = false
    }

    public var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.add(UInt8((wheel == nil ? 0 : 1) | (crank == nil ? 0 : 2)))
        wheel?.write(to: &writer)
        crank?.write(to: &writer)
        return writer.bytes
    }

    /// - Returns: Nil if there are no bytes.
    public init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let flags = cursor.uint8(bytes) else { return nil }
        if flags & 1 << 0 != 0 { wheel = WheelRevolutions(bytes, &cursor) }
        if flags & 1 << 1 != 0 { crank = CrankRevolutions(bytes, &cursor) }
        isCut = cursor.isCut
    }

    public init?(_ bytes: some Collection<UInt8>) {
        guard let measurement = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = measurement
    }
}
