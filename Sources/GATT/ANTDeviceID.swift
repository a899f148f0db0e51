/// What kind of sensor sends on ANT+, by the numbers of the ANT+ device profiles.
public enum ANTDeviceKind: UInt8, Sendable, Hashable, CaseIterable {
    case power = 11
    case fitnessEquipment = 17
    case heartRate = 120
    case speedAndCadence = 121
    case cadence = 122
    case speed = 123
    case strideSensor = 124

    /// The part of an address: `ant:hr:12345`.
    public var code: String {
        switch self {
        case .power: "power"
        case .fitnessEquipment: "trainer"
        case .heartRate: "hr"
        case .speedAndCadence: "bike"
        case .cadence: "cadence"
        case .speed: "speed"
        case .strideSensor: "footpod"
        }
    }

    /// For people, before the sensor's number.
    public var name: String {
        switch self {
        case .power: "ANT+ power meter"
        case .fitnessEquipment: "ANT+ trainer"
        case .heartRate: "ANT+ heart rate"
        case .speedAndCadence: "ANT+ speed and cadence"
        case .cadence: "ANT+ cadence"
        case .speed: "ANT+ speed"
        case .strideSensor: "ANT+ foot pod"
        }
    }

    /// The services of Bluetooth that measure the same.
    public var services: Set<BluetoothUUID> {
        switch self {
        case .power: [.cyclingPowerService]
        case .fitnessEquipment: [.fitnessMachineService]
        case .heartRate: [.heartRateService]
        case .speedAndCadence, .cadence, .speed: [.cyclingSpeedAndCadenceService]
        case .strideSensor: [.runningSpeedAndCadenceService]
        }
    }
}

/// An ANT+ sensor: its kind, and the number that is printed on it or shown by watches. Two sensors of different kinds may have one number.
public struct ANTDeviceID: Sendable, Hashable {
    public var kind: ANTDeviceKind
    /// 1 … 65535.
    public var number: UInt16

    public init(_ kind: ANTDeviceKind, number: UInt16) {
        self.kind = kind
        self.number = number
    }

    /// Reads `ant:hr:12345`, in upper or lower case. Nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "ant",
            let kind = ANTDeviceKind.allCases.first(where: { $0.code == parts[1] }),
            let number = UInt16(parts[2]), number > 0
        else { return nil }
        self.init(kind, number: number)
    }
}

extension ANTDeviceID: CustomStringConvertible {
    /// For people: ANT+ sensors have no names of their own.
    public var title: String { "\(kind.name) \(number)" }

    public var description: String { "ant:\(kind.code):\(number)" }
}

/// The names of the manufacturers' numbers in ANT+ and FIT, which are the same: the common ones.
///
/// Source: FIT SDK, Profile.xlsx, type "manufacturer".
package enum ANTManufacturer {
    package static let names: [UInt16: String] = [
        1: "Garmin", 2: "Garmin ANT-FS", 6: "SRM", 7: "Quarq", 9: "Saris", 13: "Dynastream OEM", 15: "Dynastream",
        16: "Timex",
        23: "Suunto", 32: "Wahoo Fitness", 37: "Magellan", 40: "Concept2", 45: "Xplova", 48: "Pioneer",
        51: "4iiii", 59: "Mio", 68: "CatEye", 69: "Stages Cycling", 70: "Sigma Sport", 73: "Wattbike", 76: "Moxy",
        83: "Scosche", 86: "Elite", 89: "Tacx", 95: "Stryd", 107: "Magene", 111: "Technogym", 112: "Bryton ANT",
        115: "iGPSport", 116: "ThinkRider", 123: "Polar", 129: "COROS ANT", 132: "CYCPLUS", 135: "COOSPO",
        140: "Decathlon ANT", 144: "Zwift ANT", 258: "Lezyne", 260: "Zwift", 263: "Favero",
        265: "Strava", 267: "Bryton", 268: "SRAM", 281: "TrainerRoad", 289: "Hammerhead", 294: "COROS", 309: "FORM",
        310: "Decathlon", 339: "Zepp", 340: "Peloton", 348: "Huawei",
    ]

    package static func name(_ number: UInt16) -> String? { names[number] }
}
