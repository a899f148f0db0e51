/// The identifier of a category type: sleep, mindful sessions, symptoms and so on.
///
/// The comment of each constant names the enumeration of its values and the versions that introduced it. Source: the
/// type identifiers of Apple's HealthKit documentation, macOS 26.
public struct HKCategoryTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in stores, exports and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/categoryType(forIdentifier:)`` returns nil if there is no
    /// such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension HKCategoryTypeIdentifier {
    // MARK: Fitness

    /// Values: ``HKCategoryValueAppleStandHour``. iOS 9.0, watchOS 2.0.
    public static let appleStandHour = Self(rawValue: "HKCategoryTypeIdentifierAppleStandHour")
}

extension HKCategoryTypeIdentifier {
    // MARK: Hearing Health

    /// Values: ``HKCategoryValueAudioExposureEvent``. iOS 13.0, watchOS 6.0.
    @available(iOS, deprecated: 14.0, renamed: "environmentalAudioExposureEvent")
    public static let audioExposureEvent = Self(rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")

    /// Values: ``HKCategoryValueEnvironmentalAudioExposureEvent``. iOS 14.0, watchOS 7.0. It has the string of the
    /// older name.
    public static let environmentalAudioExposureEvent = Self(rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")

    /// Values: ``HKCategoryValueHeadphoneAudioExposureEvent``. iOS 14.2, watchOS 7.1.
    public static let headphoneAudioExposureEvent = Self(
        rawValue: "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent")
}

extension HKCategoryTypeIdentifier {
    // MARK: Heart

    /// Values: ``HKCategoryValue``. iOS 12.2, watchOS 5.2.
    public static let highHeartRateEvent = Self(rawValue: "HKCategoryTypeIdentifierHighHeartRateEvent")

    /// Values: ``HKCategoryValue``. iOS 26.2, watchOS 26.2.
    public static let hypertensionEvent = Self(rawValue: "HKCategoryTypeIdentifierHypertensionEvent")

    /// Values: ``HKCategoryValue``. iOS 12.2, watchOS 5.2.
    public static let irregularHeartRhythmEvent = Self(rawValue: "HKCategoryTypeIdentifierIrregularHeartRhythmEvent")

    /// Values: ``HKCategoryValueLowCardioFitnessEvent``. iOS 14.3, watchOS 7.2.
    public static let lowCardioFitnessEvent = Self(rawValue: "HKCategoryTypeIdentifierLowCardioFitnessEvent")

    /// Values: ``HKCategoryValue``. iOS 12.2, watchOS 5.2.
    public static let lowHeartRateEvent = Self(rawValue: "HKCategoryTypeIdentifierLowHeartRateEvent")
}

extension HKCategoryTypeIdentifier {
    // MARK: Mindfulness

    /// Values: ``HKCategoryValue``. iOS 10.0, watchOS 3.0.
    public static let mindfulSession = Self(rawValue: "HKCategoryTypeIdentifierMindfulSession")
}

extension HKCategoryTypeIdentifier {
    // MARK: Mobility

    /// Values: ``HKCategoryValueAppleWalkingSteadinessEvent``. iOS 15.0, watchOS 8.0.
    public static let appleWalkingSteadinessEvent = Self(
        rawValue: "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent")
}

extension HKCategoryTypeIdentifier {
    // MARK: Other

    /// Values: ``HKCategoryValue``. iOS 14.0, watchOS 7.0.
    public static let handwashingEvent = Self(rawValue: "HKCategoryTypeIdentifierHandwashingEvent")

    /// Values: ``HKCategoryValue``. iOS 13.0, watchOS 6.0.
    public static let toothbrushingEvent = Self(rawValue: "HKCategoryTypeIdentifierToothbrushingEvent")
}

extension HKCategoryTypeIdentifier {
    // MARK: Respiratory

    /// Values: ``HKCategoryValue``. iOS 18.0, watchOS 11.0.
    public static let sleepApneaEvent = Self(rawValue: "HKCategoryTypeIdentifierSleepApneaEvent")
}

extension HKCategoryTypeIdentifier {
    // MARK: Sleep

    /// Values: ``HKCategoryValueSleepAnalysis``. iOS 8.0, watchOS 2.0.
    public static let sleepAnalysis = Self(rawValue: "HKCategoryTypeIdentifierSleepAnalysis")
}
