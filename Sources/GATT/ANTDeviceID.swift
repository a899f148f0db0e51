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
