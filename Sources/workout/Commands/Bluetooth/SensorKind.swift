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
    /// The services that `workout measure` reads, with what they measure, and others that nothing reads (SIG, Assigned
    /// Numbers, section 3.4).
    static let otherSensorServices: [(service: BluetoothUUID, measures: String, isRead: Bool)] = [
        (BluetoothUUID(0x1808), "blood glucose", false), (.healthThermometerService, "body temperature", true),
        (.coreTemperatureService, "body temperature", true), (.bloodPressureService, "blood pressure", true),
        (.bodyCompositionService, "body composition", true), (.weightScaleService, "weight", true),
        (.pulseOximeterService, "oxygen saturation", true),
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
