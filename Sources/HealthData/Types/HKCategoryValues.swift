/// The value of categories that have none: that there is a sample says it all.
public enum HKCategoryValue: Int, Sendable {
    /// The only value.
    case notApplicable = 0
}

/// What the disturbances of breathing in a night say of sleep apnoea.
///
/// Apple does not publish where elevated ones begin, and this module makes no such limit up.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
    /// As usual.
    case notElevated = 0
    /// More than usual over nights: a sign of sleep apnoea.
    case elevated = 1

    /// Nil, which Apple's documentation allows for a value that cannot be classified: the limit is not known.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) { nil }

    /// A count: 0 for those that are not elevated. Infinite for elevated ones, so that no value reaches a limit that is not
    /// known.
    public var minimum: HKQuantity {
        switch self {
        case .notElevated: HKQuantity(unit: .count(), doubleValue: 0)
        case .elevated: HKQuantity(unit: .count(), doubleValue: .infinity)
        }
    }
}

/// What a walking steadiness says of the risk to fall in the next twelve months.
///
/// Apple does not publish where one class ends and the next begins, and this module makes no such limits up.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
    /// The risk to fall is small.
    case ok = 1
    /// The risk to fall is raised.
    case low = 2
    /// The risk to fall is high.
    case veryLow = 3

    /// - Parameter appleWalkingSteadiness: A fraction from 0 to 1, in `%`.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for what is no walking steadiness; ``HKError/Code/errorNoData`` for
    ///   every other, since the limits of the classes are not known.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        guard appleWalkingSteadiness.is(compatibleWith: .percent()),
            (0...1).contains(appleWalkingSteadiness.doubleValue(for: .percent()))
        else {
            throw HKError.make(
                .errorInvalidArgument,
                "\(appleWalkingSteadiness) is no walking steadiness: that is a fraction from 0 to 1, in %.")
        }
        throw HKError.make(
            .errorNoData,
            "The walking steadiness \(appleWalkingSteadiness) cannot be classified: Apple does not publish where one class "
                + "ends and the next begins. Show the value itself.")
    }

    /// 0 %, the least that there is: the class begins there or above.
    public var minimum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 0) }

    /// 100 %, as 1, the most that there is: the class ends there or below.
    public var maximum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 1) }
}

/// How the appetite changed.
public enum HKCategoryValueAppetiteChanges: Int, Sendable {
    /// It changed, and nobody says how.
    case unspecified = 0
    /// As it was before.
    case noChange = 1
    /// Less than before.
    case decreased = 2
    /// More than before.
    case increased = 3
}

/// Whether the user stood and moved for a minute of an hour. Mind that 0 is the one who stood.
public enum HKCategoryValueAppleStandHour: Int, Sendable {
    /// At least a minute of the hour; raw value 0.
    case stood = 0
    /// Not in the whole hour; raw value 1.
    case idle = 1
}

/// A drop of the walking steadiness, for the first time or again.
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
    /// The noise around was above the limit; the same raw value as
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
    /// One is used, and nobody says which.
    case unspecified = 1
    /// Under the skin of the arm.
    case implant = 2
    /// A hormone, by needle.
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

/// Noise around the user was too loud.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable {
    /// Above the limit; the metadata may say how loud, under ``HKMetadataKeyAudioExposureLevel``.
    case momentaryLimit = 1
}

/// Headphones were too loud for too long.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable {
    /// What seven days may have was used up.
    case sevenDayLimit = 1
}

/// The cardio fitness fell below what is usual for age and sex.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable {
    /// The only event; the metadata may have the limit under ``HKMetadataKeyLowCardioFitnessEventThreshold``.
    case lowFitness = 1
}

/// The older name of `HKCategoryValueVaginalBleeding`, with the same values.
@available(iOS, deprecated: 18.0, renamed: "HKCategoryValueVaginalBleeding")
public enum HKCategoryValueMenstrualFlow: Int, Sendable {
    /// There was a flow, and nobody says how strong.
    case unspecified = 1
    /// Raw value 2.
    case light = 2
    /// Raw value 3.
    case medium = 3
    /// Raw value 4.
    case heavy = 4
    /// No flow; raw value 5, not 0.
    case none = 5
}

/// The result of an ovulation test at home.
public enum HKCategoryValueOvulationTestResult: Int, Sendable {
    /// No surge of a hormone.
    case negative = 1
    /// Luteinising hormone rose: ovulation is near.
    case luteinizingHormoneSurge = 2
    /// The test did not work.
    case indeterminate = 3
    /// Oestrogen rose: the fertile days begin.
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

/// Whether a symptom is there. Mind that 0 means that it is.
public enum HKCategoryValuePresence: Int, Sendable {
    /// There is one; raw value 0.
    case present = 0
    /// There is none; raw value 1.
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

/// How bad a symptom is. Mind that 0 is unspecified; `notPresent` is 1.
public enum HKCategoryValueSeverity: Int, Sendable {
    /// There is one, and nobody says how bad; raw value 0.
    case unspecified = 0
    /// There is none; raw value 1.
    case notPresent = 1
    /// Raw value 2.
    case mild = 2
    /// Raw value 3.
    case moderate = 3
    /// Raw value 4.
    case severe = 4
}

/// What a sleeper does.
public enum HKCategoryValueSleepAnalysis: Int, Sendable {
    /// In bed, asleep or not. Overlaps the others.
    case inBed = 0
    /// Asleep, in a stage that is not known.
    case asleepUnspecified = 1
    /// Awake in the middle of a sleep; raw value 2, between two values of sleep.
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

    /// The stages in which the user sleeps, known or not.
    public static var allAsleepValues: Set<Self> { [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM] }
}

/// How strong a bleeding is. Mind that `none` is 5, not 0.
public enum HKCategoryValueVaginalBleeding: Int, Sendable {
    /// There was one, and nobody says how strong.
    case unspecified = 1
    /// Raw value 2.
    case light = 2
    /// Raw value 3.
    case medium = 3
    /// Raw value 4.
    case heavy = 4
    /// No bleeding; raw value 5, not 0.
    case none = 5
}
