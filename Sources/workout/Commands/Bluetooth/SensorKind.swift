import GATT

extension BluetoothUUID {
    /// What a characteristic or service measures, in a few words. Nil if it is not one of a measurement.
    var measures: String? {
        switch self {
        case .heartRateService, .heartRateMeasurement: "heart rate"
        case .runningSpeedAndCadenceService, .runningSpeedAndCadenceMeasurement: "running speed"
        case .cyclingSpeedAndCadenceService, .cyclingSpeedAndCadenceMeasurement: "cycling speed"
        case .cyclingPowerService, .cyclingPowerMeasurement: "power"
        case .fitnessMachineService: "fitness machine"
        case .treadmillData: "treadmill"
        case .crossTrainerData: "cross trainer"
        case .rowerData: "rower"
        case .indoorBikeData: "indoor bike"
        default: nil
        }
    }

    /// The same in one word, for JSON.
    var measurementName: String? {
        switch self {
        case .heartRateService, .heartRateMeasurement: "heartRate"
        case .runningSpeedAndCadenceService, .runningSpeedAndCadenceMeasurement: "runningSpeedAndCadence"
        case .cyclingSpeedAndCadenceService, .cyclingSpeedAndCadenceMeasurement: "cyclingSpeedAndCadence"
        case .cyclingPowerService, .cyclingPowerMeasurement: "cyclingPower"
        case .fitnessMachineService: "fitnessMachine"
        case .treadmillData: "treadmill"
        case .crossTrainerData: "crossTrainer"
        case .rowerData: "rower"
        case .indoorBikeData: "indoorBike"
        default: nil
        }
    }
}

extension BluetoothUUID {
    /// Services of sensors that `scan` names and no session records, with what they measure (SIG, Assigned Numbers, section 3.4).
    static let unsupportedSensorServices: [(service: BluetoothUUID, measures: String)] = [
        (BluetoothUUID(0x1808), "blood glucose"), (BluetoothUUID(0x1809), "body temperature"),
        (BluetoothUUID(0x1810), "blood pressure"), (BluetoothUUID(0x181B), "body composition"),
        (BluetoothUUID(0x181D), "weight"), (BluetoothUUID(0x1822), "oxygen saturation"),
    ]
}

extension BodySensorLocation {
    /// For people and for JSON.
    var name: String {
        switch self {
        case .other: "other"
        case .chest: "chest"
        case .wrist: "wrist"
        case .finger: "finger"
        case .hand: "hand"
        case .earLobe: "ear lobe"
        case .foot: "foot"
        }
    }
}
