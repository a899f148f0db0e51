/// One value of the CSC Measurement characteristic: how often wheel and crank of a bicycle have turned.
///
/// ``WheelOdometer`` and ``CrankCadence`` make speed, distance and cadence of it. Decoding never traps; a part that is
/// announced but cut off is left out, reserved flags and bytes behind the last announced field are ignored.
///
/// Source: Bluetooth SIG, Cycling Speed and Cadence Service 1.0, section 3.1; GATT Specification Supplement, "CSC
/// Measurement".
public struct CyclingSpeedCadenceMeasurement: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2A5B
    /// Ticks of a second in the times of both events.
    public static let ticksPerSecond = 1024.0

    public var wheel: WheelRevolutions?
    public var crank: CrankRevolutions?
    /// The packet ended within an announced field.
    public var isCut: Bool

    /// - Returns: Nil when there is no byte.
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
