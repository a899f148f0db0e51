/// A value of the Heart Rate Measurement characteristic, as a strap sends it about once a second.
///
/// Decoding never traps, and never allocates for the up to nine RR intervals that fit into a packet of default size. It
/// is lenient where straps are careless: reserved flags are ignored, an announced energy field that is cut off is left
/// out, a single last byte is dropped, bytes after the last announced field are ignored. The values are kept as sent
/// (`rawHeartRate`, `rrIntervals`); only values that a heart can have count as readings (`heartRate`,
/// `beatsInMilliseconds`).
///
/// Source: Bluetooth SIG, Heart Rate Service 1.0, section 3.1; GATT Specification Supplement, "Heart Rate Measurement".
public struct HeartRateMeasurement: Sendable, Equatable {
    /// The number that the SIG assigned to the characteristic.
    public static let characteristic: UInt16 = 0x2A37

    /// Whether the sensor touches the skin.
    public enum SensorContact: Sendable, Equatable, CaseIterable {
        /// The sensor cannot detect contact.
        case notSupported
        /// The sensor can detect contact, and is off the skin.
        case notDetected
        case detected
    }

    /// The heart rate field as sent, in beats per minute; 0 if the sensor had none.
    public var rawHeartRate: UInt16
    public var sensorContact: SensorContact
    /// Energy since the last reset, in kilojoules. It stays at 65535 when full. Most packets do not contain it.
    public var energyExpendedInKilojoules: UInt16?
    /// The RR intervals, oldest first.
    public var rrIntervals: RRIntervals
    /// Whether the packet ended within a field: the energy was announced but missing, or half an RR interval was left
    /// over.
    public var isCut: Bool

    /// Decodes a packet.
    ///
    /// - Returns: Nil if there is no complete heart rate field: fewer than 2 bytes, or 3 with a 16-bit heart rate.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= 2 else { return nil }
        let flags = bytes[0]
        var next = 1

        if flags & Flag.heartRateIs16Bit == 0 {
            rawHeartRate = UInt16(bytes[next])
            next += 1
        } else {
            guard bytes.count >= 3 else { return nil }
            rawHeartRate = UInt16(littleEndian: bytes, at: next)
            next += 2
        }

        sensorContact =
            switch (flags & Flag.contactSupported != 0, flags & Flag.contactDetected != 0) {
            case (false, _): .notSupported
            case (true, false): .notDetected
            case (true, true): .detected
            }

        rrIntervals = RRIntervals()
        isCut = false
        if flags & Flag.energyExpended != 0 {
            guard next + 2 <= bytes.count else {
                isCut = true
                return
            }
            energyExpendedInKilojoules = UInt16(littleEndian: bytes, at: next)
            next += 2
        }
        if flags & Flag.rrIntervals != 0 {
            while next + 2 <= bytes.count {
                rrIntervals.append(UInt16(littleEndian: bytes, at: next))
                next += 2
            }
            isCut = next < bytes.count
        }
    }

    /// Decodes a packet from any collection of bytes. Those in contiguous memory (`Array`, `Data`, buffer pointers) are
    /// read in place.
    public init?(_ bytes: some Collection<UInt8>) {
        let decoded = bytes.withContiguousStorageIfAvailable { HeartRateMeasurement($0.span) }
        guard let measurement = decoded ?? HeartRateMeasurement(Array(bytes).span) else { return nil }
        self = measurement
    }

    /// Beats per minute. Nil if the packet has no reading: no signal, or a rate that no heart has.
    public var heartRate: Int? {
        hasSignal && isHeartRatePlausible ? Int(rawHeartRate) : nil
    }

    /// Whether there is a signal: the heart rate is not 0, and the sensor does not report that it is off the skin.
    public var hasSignal: Bool { rawHeartRate != 0 && sensorContact != .notDetected }

    /// Whether a heart can have this heart rate.
    public var isHeartRatePlausible: Bool { Self.plausibleHeartRates.contains(rawHeartRate) }

    /// In beats per minute. A patient monitor measures 15 … 300 in adults (Mindray BeneHeart D60, operator's manual,
    /// appendix A). During training the heart rate is above 20, and an atrial flutter that is conducted beat by beat
    /// reaches 300.
    public static let plausibleHeartRates: ClosedRange<UInt16> = 20...300

    /// The plausible RR intervals in milliseconds, oldest first. There are none without contact, because the sensor
    /// then detects noise, and none beside an impossible heart rate.
    public var beatsInMilliseconds: [Double] {
        guard sensorContact != .notDetected, rawHeartRate == 0 || isHeartRatePlausible else { return [] }
        return rrIntervals.filter { RRIntervals.isPlausible(ticks: $0) }.map { RRIntervals.milliseconds(fromTicks: $0) }
    }

    /// Whether a value looks like a reading but is implausible. Such a packet is logged as it came, and counted
    /// nowhere.
    public var isImplausible: Bool {
        hasSignal && !isHeartRatePlausible || !rrIntervals.allSatisfy { RRIntervals.isPlausible(ticks: $0) }
    }

    public init(
        heartRate: UInt16, sensorContact: SensorContact = .notSupported, energyExpendedInKilojoules: UInt16? = nil,
        rrIntervals: RRIntervals = []
    ) {
        rawHeartRate = heartRate
        self.sensorContact = sensorContact
        self.energyExpendedInKilojoules = energyExpendedInKilojoules
        self.rrIntervals = rrIntervals
        isCut = false
    }

    /// The packet. The heart rate has 16 bits only if it needs them.
    public var bytes: [UInt8] {
        var flags: UInt8 = rawHeartRate > 255 ? Flag.heartRateIs16Bit : 0
        switch sensorContact {
        case .notSupported: break
        case .notDetected: flags |= Flag.contactSupported
        case .detected: flags |= Flag.contactSupported | Flag.contactDetected
        }
        if energyExpendedInKilojoules != nil { flags |= Flag.energyExpended }
        if !rrIntervals.isEmpty { flags |= Flag.rrIntervals }
        var writer = FieldWriter()
        writer.add(flags)
        if rawHeartRate > 255 { writer.add(rawHeartRate) } else { writer.add(UInt8(rawHeartRate)) }
        if let energyExpendedInKilojoules { writer.add(energyExpendedInKilojoules) }
        for interval in rrIntervals { writer.add(interval) }
        return writer.bytes
    }

    private enum Flag {
        static let heartRateIs16Bit: UInt8 = 1 << 0
        static let contactDetected: UInt8 = 1 << 1
        static let contactSupported: UInt8 = 1 << 2
        static let energyExpended: UInt8 = 1 << 3
        static let rrIntervals: UInt8 = 1 << 4
    }
}
