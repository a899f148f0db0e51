/// A value of the RSC Measurement characteristic, as a foot pod sends it.
///
/// Decoding never traps. An announced field that is cut off is left out; reserved flags and bytes after the last
/// announced field are ignored.
///
/// Source: Bluetooth SIG, Running Speed and Cadence Service 1.0, section 3.1; GATT Specification Supplement, "RSC
/// Measurement".
public struct RunningSpeedCadenceMeasurement: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2A53

    public var speedInMetersPerSecond: Double
    /// The cadence as sent. Some pods count the steps of one foot, others (Wahoo TICKR X) of both.
    public var cadencePerMinute: UInt8
    public var strideLengthInMeters: Double?
    /// The distance in tenths of a metre since the pod began to count. ``RunningOdometer`` converts it to metres
    /// covered.
    public var totalDistanceInDecimeters: UInt32?
    /// Whether the wearer runs and does not walk.
    public var isRunning: Bool
    /// Whether the packet ended within an announced field.
    public var isCut: Bool

    /// - Returns: Nil if there is no complete speed and cadence: fewer than 4 bytes.
    public init?(_ bytes: Span<UInt8>) {
        var cursor = FieldCursor()
        guard let flags = cursor.uint8(bytes), let speed = cursor.uint16(bytes), let cadence = cursor.uint8(bytes)
        else { return nil }
        speedInMetersPerSecond = Double(speed) / 256
        cadencePerMinute = cadence
        if flags & 1 << 0 != 0 { strideLengthInMeters = cursor.uint16(bytes).map { Double($0) / 100 } }
        if flags & 1 << 1 != 0 { totalDistanceInDecimeters = cursor.uint32(bytes) }
        isRunning = flags & 1 << 2 != 0
        isCut = cursor.isCut
    }

    public init?(_ bytes: some Collection<UInt8>) {
        guard let measurement = decodingInPlace(bytes, { Self($0) }) else { return nil }
        self = measurement
    }
}
