extension HKQuantityTypeIdentifier {
    // MARK: Body Measurements

    /// `degC`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let appleSleepingWristTemperature = Self(
        rawValue: "HKQuantityTypeIdentifierAppleSleepingWristTemperature")

    /// `%`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bodyFatPercentage = Self(rawValue: "HKQuantityTypeIdentifierBodyFatPercentage")

    /// `kg`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bodyMass = Self(rawValue: "HKQuantityTypeIdentifierBodyMass")

    /// `count`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bodyMassIndex = Self(rawValue: "HKQuantityTypeIdentifierBodyMassIndex")

    /// `S`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let electrodermalActivity = Self(rawValue: "HKQuantityTypeIdentifierElectrodermalActivity")

    /// `m`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let height = Self(rawValue: "HKQuantityTypeIdentifierHeight")

    /// `kg`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let leanBodyMass = Self(rawValue: "HKQuantityTypeIdentifierLeanBodyMass")

    /// `m`, arithmetic mean. iOS 11.0, watchOS 4.0.
    public static let waistCircumference = Self(rawValue: "HKQuantityTypeIdentifierWaistCircumference")
}

extension HKQuantityTypeIdentifier {
    // MARK: Heart

    /// `%`, time-weighted mean. iOS 16.0, watchOS 9.0.
    public static let atrialFibrillationBurden = Self(rawValue: "HKQuantityTypeIdentifierAtrialFibrillationBurden")

    /// `count/s`, time-weighted mean. iOS 8.0, watchOS 2.0.
    public static let heartRate = Self(rawValue: "HKQuantityTypeIdentifierHeartRate")

    /// `count/min`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let heartRateRecoveryOneMinute = Self(rawValue: "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute")

    /// `ms`, arithmetic mean. iOS 27.0, watchOS 27.0.
    public static let heartRateVariabilityRMSSD = Self(rawValue: "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD")

    /// `ms`, arithmetic mean. iOS 11.0, watchOS 4.0.
    public static let heartRateVariabilitySDNN = Self(rawValue: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")

    /// `%`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let peripheralPerfusionIndex = Self(rawValue: "HKQuantityTypeIdentifierPeripheralPerfusionIndex")

    /// `count/min`, time-weighted mean. iOS 11.0, watchOS 4.0.
    public static let restingHeartRate = Self(rawValue: "HKQuantityTypeIdentifierRestingHeartRate")

    /// `ml/(kg*min)`, arithmetic mean. iOS 11.0, watchOS 4.0.
    public static let vo2Max = Self(rawValue: "HKQuantityTypeIdentifierVO2Max")

    /// `count/min`, time-weighted mean. iOS 11.0, watchOS 4.0.
    public static let walkingHeartRateAverage = Self(rawValue: "HKQuantityTypeIdentifierWalkingHeartRateAverage")
}

extension HKQuantityTypeIdentifier {
    // MARK: Vital Signs

    /// `mg/dL`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bloodGlucose = Self(rawValue: "HKQuantityTypeIdentifierBloodGlucose")

    /// `degC`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bodyTemperature = Self(rawValue: "HKQuantityTypeIdentifierBodyTemperature")
}

extension HKQuantityTypeIdentifier {
    // MARK: Respiratory

    /// `count`, arithmetic mean. iOS 18.0, watchOS 11.0.
    public static let appleSleepingBreathingDisturbances = Self(
        rawValue: "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances")

    /// `L`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let forcedExpiratoryVolume1 = Self(rawValue: "HKQuantityTypeIdentifierForcedExpiratoryVolume1")

    /// `L`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let forcedVitalCapacity = Self(rawValue: "HKQuantityTypeIdentifierForcedVitalCapacity")

    /// `count`, cumulative. iOS 8.0, watchOS 2.0.
    public static let inhalerUsage = Self(rawValue: "HKQuantityTypeIdentifierInhalerUsage")

    /// `%`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let oxygenSaturation = Self(rawValue: "HKQuantityTypeIdentifierOxygenSaturation")

    /// `L/min`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let peakExpiratoryFlowRate = Self(rawValue: "HKQuantityTypeIdentifierPeakExpiratoryFlowRate")

    /// `count/s`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let respiratoryRate = Self(rawValue: "HKQuantityTypeIdentifierRespiratoryRate")
}

extension HKQuantityTypeIdentifier {
    // MARK: Reproductive Health

    /// `degC`, arithmetic mean. iOS 9.0, watchOS 2.0.
    public static let basalBodyTemperature = Self(rawValue: "HKQuantityTypeIdentifierBasalBodyTemperature")
}
