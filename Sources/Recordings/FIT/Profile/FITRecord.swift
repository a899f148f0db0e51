/// One `record` message in a compact form, because a ride of ten hours has 36,000 of them. The numbers are FIT's, with
/// FIT's own values for "none".
struct FITRecord: BitwiseCopyable {
    /// The index among all messages of the file.
    var sequence: UInt32 = 0
    /// The time in seconds since 1989-12-31T00:00:00Z, or `none`.
    var time = Self.none
    var latitude = Self.none32
    var longitude = Self.none32
    /// The device's count in cm; `FITDistance` converts it to the distance since the start.
    var distance = Self.none
    /// The speed in mm/s.
    var speed = Self.none
    /// The altitude in 1/5 m above −500 m.
    var altitude = Self.none
    var power = Self.none16
    /// The cadence in 1/128 rpm.
    var cadence = Self.none16
    /// The ground contact time in 1/10 ms.
    var stanceTime = Self.none16
    /// The vertical oscillation in 1/10 mm.
    var verticalOscillation = Self.none16
    /// The step length in 1/10 mm.
    var stepLength = Self.none16
    /// The respiration rate in 1/100 breaths per minute.
    var respiration = Self.none16
    /// The core temperature in 1/100 °C.
    var coreTemperature = Self.none16
    /// The grade in 1/100 %.
    var grade = Int16.max
    /// The depth in mm.
    var depth = Self.none
    /// The heart rate in bpm. Zero and 255 mean "none".
    var heartRate = UInt8.max
    /// The temperature in °C.
    var temperature = Int8.max
    /// The low seven bits hold the share of one pedal in percent. The highest bit means that it is the right pedal.
    var balance = UInt8.max
    /// The resistance of a machine, in its own unit.
    var resistance = UInt8.max

    static let none = UInt32.max
    static let none16 = UInt16.max
    static let none32 = Int32.max

    /// A record without values.
    static let empty = FITRecord()

    var hasTime: Bool { time != Self.none }
    var hasHeartRate: Bool { heartRate != 0 && heartRate != UInt8.max }

    /// Whether there is a valid position. Positions beyond the poles are invalid, and two zeros mean "none".
    var hasPosition: Bool {
        latitude != Self.none32 && longitude != Self.none32 && latitude.magnitude <= 1 << 30
            && (latitude != 0 || longitude != 0)
    }

    private init() {}

    @inline(__always)
    init(_ message: FITMessage, sequence: UInt32) {
        typealias Field = FITProfile.Record
        self.sequence = sequence
        time = message.timestamp ?? Self.none
        latitude = message[Field.positionLat].map { Int32(clamping: $0) } ?? Self.none32
        longitude = message[Field.positionLong].map { Int32(clamping: $0) } ?? Self.none32
        distance = message[Field.distance].map { UInt32(clamping: $0) } ?? Self.none
        speed = (message[Field.enhancedSpeed] ?? message[Field.speed]).map { UInt32(clamping: $0) } ?? Self.none
        altitude =
            (message[Field.enhancedAltitude] ?? message[Field.altitude]).map { UInt32(clamping: $0) } ?? Self.none
        power = message[Field.power].map { UInt16(clamping: $0) } ?? Self.none16
        let fraction = message[Field.fractionalCadence] ?? 0
        cadence =
            (message[Field.cadence].map { $0 &* 128 &+ fraction } ?? message[Field.cadence256].map { $0 / 2 })
            .map { UInt16(clamping: $0) } ?? Self.none16
        stanceTime = message[Field.stanceTime].map { UInt16(clamping: $0) } ?? Self.none16
        verticalOscillation = message[Field.verticalOscillation].map { UInt16(clamping: $0) } ?? Self.none16
        stepLength = message[Field.stepLength].map { UInt16(clamping: $0) } ?? Self.none16
        heartRate = message[Field.heartRate].map { UInt8(clamping: $0) } ?? UInt8.max
        temperature = message[Field.temperature].map { Int8(clamping: $0) } ?? Int8.max
        balance = message[Field.leftRightBalance].map { UInt8(clamping: $0) } ?? UInt8.max
        respiration =
            (message[Field.enhancedRespirationRate] ?? message[Field.respirationRate].map { $0 &* 100 })
            .map { UInt16(clamping: $0) } ?? Self.none16
        depth = message[Field.depth].map { UInt32(clamping: $0) } ?? Self.none
        grade = message[Field.grade].map { Int16(clamping: $0) } ?? Int16.max
        resistance = message[Field.resistance].map { UInt8(clamping: $0) } ?? UInt8.max
        coreTemperature = message[Field.coreTemperature].map { UInt16(clamping: $0) } ?? Self.none16
    }

    /// Reads a record with the speed and distance field of old devices.
    @inline(__always)
    init(_ message: FITMessage, sequence: UInt32, _ compressed: inout FITCompressedDistance) {
        self.init(message, sequence: sequence)
        if let field = message.array(FITProfile.Record.compressedSpeedDistance) {
            compressed.expand(field, into: &self)
        }
    }
}

/// The `compressed_speed_distance` field of old devices: two numbers of twelve bits. The second one, the distance,
/// counts on.
struct FITCompressedDistance {
    /// The distance in 1/16 m.
    private var total: UInt64 = 0
    private var last: UInt16 = 0

    /// Sets speed and distance if the record has no other.
    mutating func expand(_ field: FITArray, into record: inout FITRecord) {
        guard field.bytes.count >= 3 else { return }
        let bytes = (0..<3).map { UInt16(field.bytes.uint8(at: $0)) }
        guard bytes != [0xFF, 0xFF, 0xFF] else { return }
        let speedInCentimetersPerSecond = bytes[0] | (bytes[1] & 0x0F) << 8
        let distance = bytes[1] >> 4 | bytes[2] << 4
        total += UInt64((distance &- last) & 0xFFF)
        last = distance
        if record.speed == FITRecord.none { record.speed = UInt32(speedInCentimetersPerSecond) * 10 }
        if record.distance == FITRecord.none { record.distance = UInt32(clamping: total * 100 / 16) }
    }
}
