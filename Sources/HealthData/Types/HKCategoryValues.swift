/// The value of categories that have none, because the presence of a sample is the information.
public enum HKCategoryValue: Int, Sendable {
    /// The only value.
    case notApplicable = 0
}

/// The classification of the breathing disturbances in a night, a sign of sleep apnoea.
///
/// Apple does not publish the limit of elevated ones, and this module does not invent one.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
    /// As many as usual.
    case notElevated = 0
    /// More than usual over several nights: a sign of sleep apnoea.
    case elevated = 1

    /// Returns nil, which Apple's documentation allows for a value that cannot be classified: the limit is not known.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) { nil }

    /// The minimum as a count: 0 for disturbances that are not elevated. Infinite for elevated ones, so that no value
    /// reaches a limit that is not known.
    public var minimum: HKQuantity {
        switch self {
        case .notElevated: HKQuantity(unit: .count(), doubleValue: 0)
        case .elevated: HKQuantity(unit: .count(), doubleValue: .infinity)
        }
    }
}

/// The classification of a walking steadiness by the risk of a fall in the next twelve months.
///
/// Apple does not publish the limits of the classes, and this module does not invent any.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
    /// The risk of a fall is low.
    case ok = 1
    /// The risk of a fall is increased.
    case low = 2
    /// The risk of a fall is high.
    case veryLow = 3

    /// - Parameter appleWalkingSteadiness: A fraction from 0 to 1, in `%`.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a value that is no walking steadiness, and
    ///   ``HKError/Code/errorNoData`` for every other, since the limits of the classes are not known.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        guard appleWalkingSteadiness.is(compatibleWith: .percent()),
            (0...1).contains(appleWalkingSteadiness.doubleValue(for: .percent()))
        else {
            throw HKError.make(
                .errorInvalidArgument,
                "\(appleWalkingSteadiness) is not a walking steadiness, which is a fraction from 0 to 1, in %.")
        }
        throw HKError.make(
            .errorNoData,
            "The walking steadiness \(appleWalkingSteadiness) cannot be classified: Apple does not publish where one class "
                + "ends and the next begins. Show the value itself.")
    }

    /// 0 %, the least possible value: the class begins there or above.
    public var minimum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 0) }

    /// 100 %, the value 1, the greatest possible: the class ends there or below.
    public var maximum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 1) }
}

/// The change of the appetite.
public enum HKCategoryValueAppetiteChanges: Int, Sendable {
    /// It changed in a way that is not specified.
    case unspecified = 0
    /// The same as before.
    case noChange = 1
    /// Less than before.
    case decreased = 2
    /// More than before.
    case increased = 3
}

/// Whether the user stood and moved for a minute of an hour. Note that 0 means that the user stood.
public enum HKCategoryValueAppleStandHour: Int, Sendable {
    /// Stood for at least a minute of the hour. Raw value 0.
    case stood = 0
    /// Did not stand in the whole hour. Raw value 1.
    case idle = 1
}

/// A decrease of the walking steadiness, for the first time or again.
public enum HKCategoryValueAppleWalkingSteadinessEvent: Int, Sendable {
    /// Fell to low for the first time.
    case initialLow = 1
    /// Fell to very low for the first time.
    case initialVeryLow = 2
    /// Is still low, or low again.
    case repeatLow = 3
    /// Is still very low, or very low again.
    case repeatVeryLow = 4
}

/// The older name of `HKCategoryValueEnvironmentalAudioExposureEvent`.
@available(iOS, deprecated: 14.0, message: "Use HKCategoryValueEnvironmentalAudioExposureEvent")
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
    /// The noise exceeded the limit. The same raw value as
    /// ``HKCategoryValueEnvironmentalAudioExposureEvent/momentaryLimit``.
    case loudEnvironment = 1
}

/// The look of cervical mucus, a sign of fertility.
public enum HKCategoryValueCervicalMucusQuality: Int, Sendable {
    /// Little or none.
    case dry = 1
    /// Thick.
    case sticky = 2
    /// Like lotion.
    case creamy = 3
    /// Clear and thin.
    case watery = 4
    /// Clear and stretchy: the most fertile days.
    case eggWhite = 5
}

/// The means of contraception.
public enum HKCategoryValueContraceptive: Int, Sendable {
    /// One is used, but not specified.
    case unspecified = 1
    /// Under the skin of the arm.
    case implant = 2
    /// An injected hormone.
    case injection = 3
    /// In the womb, with or without a hormone.
    case intrauterineDevice = 4
    /// A ring that gives off a hormone.
    case intravaginalRing = 5
    /// A pill.
    case oral = 6
    /// On the skin, with a hormone.
    case patch = 7
}

/// An event of loud noise around the user.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable {
    /// The noise exceeded the limit. The metadata may contain the level under ``HKMetadataKeyAudioExposureLevel``.
    case momentaryLimit = 1
}

/// An event of headphones that were too loud for too long.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable {
    /// The allowed exposure of seven days was reached.
    case sevenDayLimit = 1
}

/// An event of a cardio fitness below the usual for age and sex.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable {
    /// The only event. The metadata may have the limit under ``HKMetadataKeyLowCardioFitnessEventThreshold``.
    case lowFitness = 1
}

/// The older name of `HKCategoryValueVaginalBleeding`, with the same values.
@available(iOS, deprecated: 18.0, renamed: "HKCategoryValueVaginalBleeding")
public enum HKCategoryValueMenstrualFlow: Int, Sendable {
    /// There was a flow of unspecified strength.
    case unspecified = 1
    /// Raw value 2.
    case light = 2
    /// Raw value 3.
    case medium = 3
    /// Raw value 4.
    case heavy = 4
    /// No flow. The raw value is 5, not 0.
    case none = 5
}

/// The result of an ovulation test at home.
public enum HKCategoryValueOvulationTestResult: Int, Sendable {
    /// No surge of the hormone.
    case negative = 1
    /// Luteinising hormone rose, so ovulation is near.
    case luteinizingHormoneSurge = 2
    /// The test did not work.
    case indeterminate = 3
    /// Oestrogen rose, so the fertile days begin.
    case estrogenSurge = 4

    /// The older name of ``luteinizingHormoneSurge``.
    @available(iOS, deprecated: 13.0, renamed: "luteinizingHormoneSurge")
    public static var positive: Self { .luteinizingHormoneSurge }
}

/// The result of a pregnancy test at home.
public enum HKCategoryValuePregnancyTestResult: Int, Sendable {
    /// Raw value 1.
    case negative = 1
    /// Raw value 2.
    case positive = 2
    /// The test did not work.
    case indeterminate = 3
}

/// Whether a symptom is present. Note that 0 means present.
public enum HKCategoryValuePresence: Int, Sendable {
    /// The symptom is present. Raw value 0.
    case present = 0
    /// The symptom is not present. Raw value 1.
    case notPresent = 1
}

/// The result of a progesterone test at home.
public enum HKCategoryValueProgesteroneTestResult: Int, Sendable {
    /// Raw value 1: no ovulation is confirmed.
    case negative = 1
    /// Raw value 2: ovulation is confirmed.
    case positive = 2
    /// The test did not work.
    case indeterminate = 3
}

/// The severity of a symptom. Note that 0 is unspecified; `notPresent` is 1.
public enum HKCategoryValueSeverity: Int, Sendable {
    /// The symptom is present with unspecified severity. Raw value 0.
    case unspecified = 0
    /// The symptom is not present. Raw value 1.
    case notPresent = 1
    /// Raw value 2.
    case mild = 2
    /// Raw value 3.
    case moderate = 3
    /// Raw value 4.
    case severe = 4
}

/// The state of a sleeper.
public enum HKCategoryValueSleepAnalysis: Int, Sendable {
    /// In bed, asleep or not. Overlaps the other values.
    case inBed = 0
    /// Asleep in an unknown stage.
    case asleepUnspecified = 1
    /// Awake between two periods of sleep. Raw value 2, between two values of sleep.
    case awake = 2
    /// Light sleep: stages N1 and N2.
    case asleepCore = 3
    /// Deep sleep: stage N3.
    case asleepDeep = 4
    /// Dreaming, with rapid eye movement.
    case asleepREM = 5

    /// The older name of ``asleepUnspecified``, with the same raw value.
    @available(iOS, deprecated: 16.0, renamed: "asleepUnspecified")
    public static var asleep: Self { .asleepUnspecified }

    /// The values of sleep, in known and unknown stages.
    public static var allAsleepValues: Set<Self> { [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM] }
}

/// The strength of a bleeding. Note that `none` is 5, not 0.
public enum HKCategoryValueVaginalBleeding: Int, Sendable {
    /// There was one of unspecified strength.
    case unspecified = 1
    /// Raw value 2.
    case light = 2
    /// Raw value 3.
    case medium = 3
    /// Raw value 4.
    case heavy = 4
    /// No bleeding. The raw value is 5, not 0.
    case none = 5
}
