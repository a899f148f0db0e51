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

    public init(
        speedInMetersPerSecond: Double, cadencePerMinute: UInt8, strideLengthInMeters: Double? = nil,
        totalDistanceInDecimeters: UInt32? = nil, isRunning: Bool
    ) {
        self.speedInMetersPerSecond = speedInMetersPerSecond
        self.cadencePerMinute = cadencePerMinute
        self.strideLengthInMeters = strideLengthInMeters
        self.totalDistanceInDecimeters = totalDistanceInDecimeters
        self.isRunning = isRunning
        isCut = false
    }

    /// The packet. Speed is rounded to 1/256 m/s, the stride to centimetres.
    public var bytes: [UInt8] {
        var writer = FieldWriter()
        let stride: UInt8 = strideLengthInMeters == nil ? 0 : 1 << 0
        let distance: UInt8 = totalDistanceInDecimeters == nil ? 0 : 1 << 1
        writer.add(stride | distance | (isRunning ? 1 << 2 : 0))
        writer.add(speedInMetersPerSecond, in: 1 / 256, as: UInt16.self)
        writer.add(cadencePerMinute)
        if let strideLengthInMeters { writer.add(strideLengthInMeters, in: 0.01, as: UInt16.self) }
        if let totalDistanceInDecimeters { writer.add(totalDistanceInDecimeters) }
        return writer.bytes
    }

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
