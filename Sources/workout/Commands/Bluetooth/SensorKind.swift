import GATT

extension BluetoothUUID {
    /// What a characteristic or service measures, in a few words. Nil if it is not one of a measurement.
    var measures: String? {
        switch self {
        case .heartRateService, .heartRateMeasurement: "heart rate"
        case .runningSpeedAndCadenceService, .runningSpeedAndCadenceMeasurement: "running speed"
        case .cyclingSpeedAndCadenceService, .cyclingSpeedAndCadenceMeasurement: "cycling speed"
        case .cyclingPowerService, .cyclingPowerMeasurement: "power"
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
        default: nil
        }
    }
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
