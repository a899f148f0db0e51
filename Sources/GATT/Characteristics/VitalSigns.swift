/// A measurement of a thermometer, a pulse oximeter, a scale or a blood-pressure monitor: one value of one of
/// ``BluetoothUUID/vitalSigns``.
public struct VitalSigns: Sendable, Equatable {
    public var bodyTemperatureInCelsius: Double?
    /// Where the temperature was measured, by the number of Temperature Type (0x2A1D). Nil if it is not known.
    public var temperatureSite: Int?
    /// 0 … 100.
    public var oxygenSaturationInPercent: Double?
    public var pulsePerMinute: Double?
    public var bloodPressure: BloodPressure?
    public var bodyMassInKilograms: Double?
    /// In kg/m².
    public var bodyMassIndex: Double?
    public var bodyFatInPercent: Double?
    public var leanBodyMassInKilograms: Double?
    /// When it was measured, by the clock of the device. Nil if the device did not say.
    public var time: DeviceTime?
    /// The user whom the device recognised. Nil if it did not.
    public var user: Int?
    public var stage = Stage.final
    public var remarks: [Remark] = []

    public init() {}

    public enum Stage: Sendable, Equatable {
        /// The result of a measurement.
        case final
        /// One of many values of a device that measures all the time.
        case continuous
        /// An early estimate, such as a temperature that still rises. The result follows.
        case unfinished
    }

    /// In millimetres of mercury.
    public struct BloodPressure: Sendable, Equatable {
        public var systolic: Double
        public var diastolic: Double

        public init(systolic: Double, diastolic: Double) {
            self.systolic = systolic
            self.diastolic = diastolic
        }
    }

    /// The device's doubts about its measurement.
    public enum Remark: String, Sendable, CaseIterable {
        case bodyMoved, cuffTooLoose, pulseIrregular, wrongPosition, questionable
    }

    /// Whether nothing was measured: the device reports a failure, a test or a demonstration.
    public var isEmpty: Bool {
        bodyTemperatureInCelsius == nil && oxygenSaturationInPercent == nil && pulsePerMinute == nil
            && bloodPressure == nil && bodyMassInKilograms == nil && bodyMassIndex == nil && bodyFatInPercent == nil
            && leanBodyMassInKilograms == nil
    }

    /// - Returns: Nil for another characteristic, and for a value that is incomplete.
    public init?(_ bytes: some Collection<UInt8>, of characteristic: BluetoothUUID) {
        let decode: (inout VitalSigns, inout FieldCursor, Span<UInt8>) -> Void
        switch characteristic {
        case .temperatureMeasurement: decode = Self.thermometer
        case .intermediateTemperature:
            decode = {
                Self.thermometer(&$0, &$1, $2)
                $0.stage = .unfinished
            }
        case .coreTemperature: decode = Self.core
        case .oximeterSpotCheck: decode = Self.spotCheck
        case .oximeterContinuous: decode = Self.continuousOximeter
        case .bloodPressureMeasurement: decode = Self.bloodPressureMonitor
        case .weightMeasurement: decode = Self.scale
        case .bodyCompositionMeasurement: decode = Self.bodyComposition
        default: return nil
        }
        let decoded = decodingInPlace(bytes) { bytes -> VitalSigns? in
            var (vitals, cursor) = (VitalSigns(), FieldCursor())
            decode(&vitals, &cursor, bytes)
            return cursor.isCut ? nil : vitals
        }
        guard let decoded else { return nil }
        self = decoded
    }
}

// MARK: - Thermometers

extension VitalSigns {
    private static func celsius(_ value: Double?, isFahrenheit: Bool) -> Double? {
        value.map { isFahrenheit ? ($0 - 32) / 1.8 : $0 }
    }

    /// Source: Health Thermometer Service 1.0, section 3.1.
    private static func thermometer(_ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>) {
        guard let flags = next.uint8(bytes) else { return }
        vitals.bodyTemperatureInCelsius = celsius(next.medicalFloat32(bytes), isFahrenheit: flags & 1 != 0)
        if flags & 2 != 0 { vitals.time = next.deviceTime(bytes) }
        if flags & 4 != 0 { vitals.temperatureSite = next.uint8(bytes).map(Int.init) }
    }

    /// A value every second or so, from the body's surface.
    ///
    /// Source: CoreBodyTemp, "Core Body Temperature Service", the characteristic of the same name.
    private static func core(_ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>) {
        guard let flags = next.uint8(bytes), let raw = next.int16(bytes) else { return }
        // The temperature of the skin, and a field without a public meaning.
        if flags & 1 != 0 { _ = next.int16(bytes) }
        if flags & 2 != 0 { _ = next.int16(bytes) }
        let quality = flags & 4 != 0 ? next.uint8(bytes).map { $0 & 7 } : nil
        if flags & 16 != 0 { vitals.pulsePerMinute = next.uint8(bytes).flatMap { $0 > 0 ? Double($0) : nil } }
        // 0x7FFF while it adapts. Quality 0 is invalid, 1 poor.
        if raw != .max, quality != 0 {
            vitals.bodyTemperatureInCelsius = celsius(Double(raw) / 100, isFahrenheit: flags & 8 != 0)
        }
        if quality == 1 { vitals.remarks = [.questionable] }
        vitals.stage = .continuous
    }
}

// MARK: - Oximeters

extension VitalSigns {
    /// Source: Pulse Oximeter Service 1.0, section 3.1.
    private static func spotCheck(_ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>) {
        guard let flags = next.uint8(bytes) else { return }
        vitals.saturation(&next, bytes)
        if flags & 1 != 0 { vitals.time = next.deviceTime(bytes) }
        if flags & 2 != 0 { vitals.oximeterStatus(next.uint16(bytes)) }
        if flags & 4 != 0 { _ = next.uint24(bytes) }
        if flags & 8 != 0 { _ = next.medicalFloat16(bytes) }
        // The device's clock was not set.
        if flags & 16 != 0 { vitals.time = nil }
    }

    /// Source: Pulse Oximeter Service 1.0, section 3.2.
    private static func continuousOximeter(_ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>)
    {
        guard let flags = next.uint8(bytes) else { return }
        vitals.stage = .continuous
        vitals.saturation(&next, bytes)
        // The same with a faster and a slower response.
        for bit in [1, 2] as [UInt8] where flags & bit != 0 {
            _ = next.uint16(bytes)
            _ = next.uint16(bytes)
        }
        if flags & 4 != 0 { vitals.oximeterStatus(next.uint16(bytes)) }
    }

    private mutating func saturation(_ next: inout FieldCursor, _ bytes: Span<UInt8>) {
        oxygenSaturationInPercent = next.medicalFloat16(bytes).flatMap { (0...100).contains($0) ? $0 : nil }
        pulsePerMinute = next.medicalFloat16(bytes).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Source: Pulse Oximeter Service 1.0, section 3.1.5, Measurement Status.
    private mutating func oximeterStatus(_ status: UInt16?) {
        guard let status else { return }
        // Of a spot check: ongoing. Of both: an early estimate.
        if stage == .final, status & 1 << 5 != 0 { stage = .unfinished }
        if status & 1 << 6 != 0 { stage = .unfinished }
        // A demonstration, a test, a calibration, nothing measured, or invalid.
        if status & (1 << 10 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 15) != 0 {
            (oxygenSaturationInPercent, pulsePerMinute) = (nil, nil)
        }
        if status & 1 << 14 != 0 { remarks.append(.questionable) }
    }
}

// MARK: - Blood pressure

extension VitalSigns {
    private static let millimetersOfMercuryPerKilopascal = 7.500_616_827

    /// Source: Blood Pressure Service 1.1, section 3.1.
    private static func bloodPressureMonitor(
        _ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>
    ) {
        guard let flags = next.uint8(bytes) else { return }
        let unit = flags & 1 != 0 ? millimetersOfMercuryPerKilopascal : 1
        let (systolic, diastolic) = (next.medicalFloat16(bytes), next.medicalFloat16(bytes))
        // The mean arterial pressure, which HealthKit has no type for.
        _ = next.uint16(bytes)
        if let systolic, let diastolic, systolic > 0, diastolic > 0 {
            vitals.bloodPressure = BloodPressure(systolic: systolic * unit, diastolic: diastolic * unit)
        }
        if flags & 2 != 0 { vitals.time = next.deviceTime(bytes) }
        if flags & 4 != 0 { vitals.pulsePerMinute = next.medicalFloat16(bytes).flatMap { $0 > 0 ? $0 : nil } }
        if flags & 8 != 0 { vitals.user = user(next.uint8(bytes)) }
        guard flags & 16 != 0, let status = next.uint16(bytes) else { return }
        let remarks: [(UInt16, Remark)] = [
            (1 << 0, .bodyMoved), (1 << 1, .cuffTooLoose), (1 << 2, .pulseIrregular), (1 << 5, .wrongPosition),
        ]
        vitals.remarks = remarks.filter { status & $0.0 != 0 }.map(\.1)
    }

    /// 255 is an unknown user.
    private static func user(_ number: UInt8?) -> Int? { number.flatMap { $0 == 0xFF ? nil : Int($0) } }
}

// MARK: - Scales

extension VitalSigns {
    private static let kilogramsPerPound = 0.453_592_37

    /// 65,535 is a measurement that failed.
    private static func number(_ raw: UInt16?) -> Double? { raw.flatMap { $0 == .max ? nil : Double($0) } }

    private static func kilograms(_ raw: UInt16?, isImperial: Bool) -> Double? {
        number(raw).map { isImperial ? $0 / 100 * kilogramsPerPound : $0 / 200 }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Source: Weight Scale Service 1.0, section 3.2.
    private static func scale(_ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>) {
        guard let flags = next.uint8(bytes) else { return }
        vitals.bodyMassInKilograms = kilograms(next.uint16(bytes), isImperial: flags & 1 != 0)
        if flags & 2 != 0 { vitals.time = next.deviceTime(bytes) }
        if flags & 4 != 0 { vitals.user = user(next.uint8(bytes)) }
        if flags & 8 != 0 {
            vitals.bodyMassIndex = number(next.uint16(bytes)).flatMap { $0 > 0 ? $0 / 10 : nil }
            // The height that its user once entered.
            _ = next.uint16(bytes)
        }
    }

    /// Source: Body Composition Service 1.0, section 3.2.
    private static func bodyComposition(_ vitals: inout VitalSigns, _ next: inout FieldCursor, _ bytes: Span<UInt8>) {
        guard let flags = next.uint16(bytes) else { return }
        let isImperial = flags & 1 != 0
        let fat = number(next.uint16(bytes)).map { $0 / 10 }
        if let fat, fat > 0, fat <= 100 { vitals.bodyFatInPercent = fat }
        if flags & 1 << 1 != 0 { vitals.time = next.deviceTime(bytes) }
        if flags & 1 << 2 != 0 { vitals.user = user(next.uint8(bytes)) }
        // Basal metabolism, muscle percentage, muscle mass.
        for bit in 3...5 where flags & 1 << bit != 0 { _ = next.uint16(bytes) }
        if flags & 1 << 6 != 0 {
            vitals.leanBodyMassInKilograms = kilograms(next.uint16(bytes), isImperial: isImperial)
        }
        // Soft lean mass, body water mass, impedance.
        for bit in 7...9 where flags & 1 << bit != 0 { _ = next.uint16(bytes) }
        if flags & 1 << 10 != 0 { vitals.bodyMassInKilograms = kilograms(next.uint16(bytes), isImperial: isImperial) }
        if flags & 1 << 11 != 0 { _ = next.uint16(bytes) }
    }
}
