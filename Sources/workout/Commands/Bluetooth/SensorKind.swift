import GATT

extension BluetoothUUID {
    /// What a measurement's characteristic or service measures, in a few words. Nil for any other.
    var measures: String? {
        switch self {
        case .heartRateService, .heartRateMeasurement: "heart rate"
        case .runningSpeedAndCadenceService, .runningSpeedAndCadenceMeasurement: "running speed"
        case .cyclingSpeedAndCadenceService, .cyclingSpeedAndCadenceMeasurement: "cycling speed"
        case .cyclingPowerService, .cyclingPowerMeasurement: "power"
        default: nil
        }
    }

    /// A word without spaces, for JSON.
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
