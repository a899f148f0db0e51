/// The 128-bit UUID of a service or characteristic.
///
/// UUIDs assigned by the SIG are written with 16 bits, a number within the Bluetooth base UUID,
/// 0000xxxx-0000-1000-8000-00805F9B34FB (Core Specification 5.4, volume 3, part B, section 2.5.1).
public struct BluetoothUUID: Sendable, Hashable {
    public let high: UInt64
    public let low: UInt64

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the UUID with a number that the SIG assigned, such as 0x180D.
    public init(_ assigned: UInt16) {
        high = Self.baseHigh | UInt64(assigned) << 32
        low = Self.baseLow
    }

    /// Reads `180D`, `0x180D` or the full form with hyphens, in upper or lower case. Nil for anything else.
    public init?(_ text: some StringProtocol) {
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
        if digits.utf8.count == 4, let assigned = UInt16(digits, radix: 16) {
            self.init(assigned)
            return
        }
        let groups = digits.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let hex = groups.joined()
        guard hex.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let high = UInt64(hex.prefix(16), radix: 16), let low = UInt64(hex.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The number that the SIG assigned. Nil for a vendor's UUID.
    public var assigned: UInt16? {
        guard low == Self.baseLow, high & ~(0xFFFF << 32) == Self.baseHigh else { return nil }
        return UInt16(truncatingIfNeeded: high >> 32)
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// `180D` for an assigned number, the full form in upper case for a vendor's UUID.
    public var description: String {
        if let assigned { return Self.hex(UInt64(assigned), digits: 4) }
        return full.uppercased()
    }

    /// The full form in lower case, as BlueZ writes it.
    public var full: String {
        let head = Self.hex(high, digits: 16).lowercased()
        let tail = Self.hex(low, digits: 16).lowercased()
        return "\(head.prefix(8))-\(head.dropFirst(8).prefix(4))-\(head.suffix(4))-\(tail.prefix(4))-\(tail.suffix(12))"
    }

    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// The services that fitness sensors offer (SIG, Assigned Numbers, section 3.4).
extension BluetoothUUID {
    public static let deviceInformationService = BluetoothUUID(0x180A)
    public static let heartRateService = BluetoothUUID(0x180D)
    public static let batteryService = BluetoothUUID(0x180F)
    public static let runningSpeedAndCadenceService = BluetoothUUID(0x1814)
    public static let cyclingSpeedAndCadenceService = BluetoothUUID(0x1816)
    public static let cyclingPowerService = BluetoothUUID(0x1818)
    public static let fitnessMachineService = BluetoothUUID(0x1826)

    /// The services whose measurements a session collects.
    public static let sensorServices: [BluetoothUUID] = [
        .heartRateService, .runningSpeedAndCadenceService, .cyclingSpeedAndCadenceService, .cyclingPowerService,
        .fitnessMachineService,
    ]
}

/// The services of devices that measure once, or as long as they are worn, and no session collects.
extension BluetoothUUID {
    public static let healthThermometerService = BluetoothUUID(0x1809)
    public static let bloodPressureService = BluetoothUUID(0x1810)
    public static let bodyCompositionService = BluetoothUUID(0x181B)
    public static let weightScaleService = BluetoothUUID(0x181D)
    public static let pulseOximeterService = BluetoothUUID(0x1822)
    /// Of CORE's sensors (CoreBodyTemp, "Core Body Temperature Service").
    public static let coreTemperatureService = BluetoothUUID(
        high: 0x0000_2100_5B1E_4347, low: 0xB07C_97B5_14DA_E121)

    /// The services whose values are ``VitalSigns``.
    public static let vitalSignServices: [BluetoothUUID] = [
        .healthThermometerService, .coreTemperatureService, .pulseOximeterService, .bloodPressureService,
        .weightScaleService, .bodyCompositionService,
    ]

    public static let temperatureMeasurement = BluetoothUUID(0x2A1C)
    public static let intermediateTemperature = BluetoothUUID(0x2A1E)
    public static let coreTemperature = BluetoothUUID(
        high: 0x0000_2101_5B1E_4347, low: 0xB07C_97B5_14DA_E121)
    public static let bloodPressureMeasurement = BluetoothUUID(0x2A35)
    public static let oximeterSpotCheck = BluetoothUUID(0x2A5E)
    public static let oximeterContinuous = BluetoothUUID(0x2A5F)
    public static let bodyCompositionMeasurement = BluetoothUUID(0x2A9C)
    public static let weightMeasurement = BluetoothUUID(0x2A9D)

    /// The characteristics whose values are ``VitalSigns``.
    public static let vitalSigns: [BluetoothUUID] = [
        .temperatureMeasurement, .intermediateTemperature, .coreTemperature, .bloodPressureMeasurement,
        .oximeterSpotCheck, .oximeterContinuous, .weightMeasurement, .bodyCompositionMeasurement,
    ]
}

/// Polar's measurement service; see ``PolarFrame``.
extension BluetoothUUID {
    public static let polarControlPoint = polar(0x81)
    public static let polarData = polar(0x82)

    private static func polar(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0xFB00_5C00_02E7_F387 | number << 32, low: 0x1CAD_8ACD_2D8D_F0C8)
    }
}

/// The characteristics that a client of fitness sensors uses (SIG, Assigned Numbers, section 3.8).
extension BluetoothUUID {
    /// Part of the Generic Attribute service: the device indicates that its attributes have changed.
    public static let serviceChanged = BluetoothUUID(0x2A05)
    public static let batteryLevel = BluetoothUUID(0x2A19)
    public static let heartRateMeasurement = BluetoothUUID(0x2A37)
    public static let bodySensorLocation = BluetoothUUID(0x2A38)
    public static let heartRateControlPoint = BluetoothUUID(0x2A39)
    public static let runningSpeedAndCadenceMeasurement = BluetoothUUID(0x2A53)
    public static let cyclingSpeedAndCadenceMeasurement = BluetoothUUID(0x2A5B)
    public static let cyclingPowerMeasurement = BluetoothUUID(0x2A63)
    public static let runningSpeedAndCadenceFeature = BluetoothUUID(0x2A54)
    public static let cyclingSpeedAndCadenceFeature = BluetoothUUID(0x2A5C)
    public static let sensorLocation = BluetoothUUID(0x2A5D)
    public static let cyclingPowerFeature = BluetoothUUID(0x2A65)
    public static let fitnessMachineFeature = BluetoothUUID(0x2ACC)
    public static let treadmillData = BluetoothUUID(0x2ACD)
    public static let crossTrainerData = BluetoothUUID(0x2ACE)
    public static let rowerData = BluetoothUUID(0x2AD1)
    public static let indoorBikeData = BluetoothUUID(0x2AD2)
    public static let supportedPowerRange = BluetoothUUID(0x2AD8)
    public static let fitnessMachineControlPoint = BluetoothUUID(0x2AD9)
    public static let fitnessMachineStatus = BluetoothUUID(0x2ADA)

    /// The characteristics whose notifications are measurements that a session collects.
    public static let sensorMeasurements: [BluetoothUUID] = [
        .heartRateMeasurement, .runningSpeedAndCadenceMeasurement, .cyclingSpeedAndCadenceMeasurement,
        .cyclingPowerMeasurement, .treadmillData, .crossTrainerData, .rowerData, .indoorBikeData,
    ]
}
