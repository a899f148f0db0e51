extension HKQuantityTypeIdentifier {
    // MARK: Hearing Health

    /// `dBASPL`, equivalent continuous level. iOS 13.0, watchOS 6.0.
    public static let environmentalAudioExposure = Self(rawValue: "HKQuantityTypeIdentifierEnvironmentalAudioExposure")

    /// `dBASPL`, equivalent continuous level. iOS 16.0, watchOS 9.0.
    public static let environmentalSoundReduction = Self(
        rawValue: "HKQuantityTypeIdentifierEnvironmentalSoundReduction")

    /// `dBASPL`, equivalent continuous level. iOS 13.0, watchOS 6.0.
    public static let headphoneAudioExposure = Self(rawValue: "HKQuantityTypeIdentifierHeadphoneAudioExposure")
}

extension HKQuantityTypeIdentifier {
    // MARK: Other

    /// `%`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bloodAlcoholContent = Self(rawValue: "HKQuantityTypeIdentifierBloodAlcoholContent")

    /// `mmHg`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bloodPressureDiastolic = Self(rawValue: "HKQuantityTypeIdentifierBloodPressureDiastolic")

    /// `mmHg`, arithmetic mean. iOS 8.0, watchOS 2.0.
    public static let bloodPressureSystolic = Self(rawValue: "HKQuantityTypeIdentifierBloodPressureSystolic")

    /// `IU`, cumulative. iOS 11.0, watchOS 4.0.
    public static let insulinDelivery = Self(rawValue: "HKQuantityTypeIdentifierInsulinDelivery")

    /// `count`, cumulative. iOS 15.0, watchOS 8.0.
    public static let numberOfAlcoholicBeverages = Self(rawValue: "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages")

    /// `count`, cumulative. iOS 8.0, watchOS 2.0.
    public static let numberOfTimesFallen = Self(rawValue: "HKQuantityTypeIdentifierNumberOfTimesFallen")

    /// `min`, cumulative. iOS 17.0, watchOS 10.0.
    public static let timeInDaylight = Self(rawValue: "HKQuantityTypeIdentifierTimeInDaylight")

    /// `count`, arithmetic mean. iOS 9.0, watchOS 2.0.
    public static let uvExposure = Self(rawValue: "HKQuantityTypeIdentifierUVExposure")

    /// `degC`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let waterTemperature = Self(rawValue: "HKQuantityTypeIdentifierWaterTemperature")
}
