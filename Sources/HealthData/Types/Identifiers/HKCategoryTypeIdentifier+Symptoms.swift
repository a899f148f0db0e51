extension HKCategoryTypeIdentifier {
    // MARK: Symptoms

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let abdominalCramps = Self(rawValue: "HKCategoryTypeIdentifierAbdominalCramps")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let acne = Self(rawValue: "HKCategoryTypeIdentifierAcne")

    /// Values: ``HKCategoryValueAppetiteChanges``. iOS 13.6, watchOS 7.0.
    public static let appetiteChanges = Self(rawValue: "HKCategoryTypeIdentifierAppetiteChanges")

    /// Values: ``HKCategoryValueSeverity``. iOS 14.0, watchOS 7.0.
    public static let bladderIncontinence = Self(rawValue: "HKCategoryTypeIdentifierBladderIncontinence")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let bloating = Self(rawValue: "HKCategoryTypeIdentifierBloating")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let breastPain = Self(rawValue: "HKCategoryTypeIdentifierBreastPain")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let chestTightnessOrPain = Self(rawValue: "HKCategoryTypeIdentifierChestTightnessOrPain")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let chills = Self(rawValue: "HKCategoryTypeIdentifierChills")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let constipation = Self(rawValue: "HKCategoryTypeIdentifierConstipation")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let coughing = Self(rawValue: "HKCategoryTypeIdentifierCoughing")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let diarrhea = Self(rawValue: "HKCategoryTypeIdentifierDiarrhea")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let dizziness = Self(rawValue: "HKCategoryTypeIdentifierDizziness")

    /// Values: ``HKCategoryValueSeverity``. iOS 14.0, watchOS 7.0.
    public static let drySkin = Self(rawValue: "HKCategoryTypeIdentifierDrySkin")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let fainting = Self(rawValue: "HKCategoryTypeIdentifierFainting")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let fatigue = Self(rawValue: "HKCategoryTypeIdentifierFatigue")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let fever = Self(rawValue: "HKCategoryTypeIdentifierFever")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let generalizedBodyAche = Self(rawValue: "HKCategoryTypeIdentifierGeneralizedBodyAche")

    /// Values: ``HKCategoryValueSeverity``. iOS 14.0, watchOS 7.0.
    public static let hairLoss = Self(rawValue: "HKCategoryTypeIdentifierHairLoss")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let headache = Self(rawValue: "HKCategoryTypeIdentifierHeadache")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let heartburn = Self(rawValue: "HKCategoryTypeIdentifierHeartburn")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let hotFlashes = Self(rawValue: "HKCategoryTypeIdentifierHotFlashes")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let lossOfSmell = Self(rawValue: "HKCategoryTypeIdentifierLossOfSmell")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let lossOfTaste = Self(rawValue: "HKCategoryTypeIdentifierLossOfTaste")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let lowerBackPain = Self(rawValue: "HKCategoryTypeIdentifierLowerBackPain")

    /// Values: ``HKCategoryValueSeverity``. iOS 14.0, watchOS 7.0.
    public static let memoryLapse = Self(rawValue: "HKCategoryTypeIdentifierMemoryLapse")

    /// Values: ``HKCategoryValuePresence``. iOS 13.6, watchOS 7.0.
    public static let moodChanges = Self(rawValue: "HKCategoryTypeIdentifierMoodChanges")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let nausea = Self(rawValue: "HKCategoryTypeIdentifierNausea")

    /// Values: ``HKCategoryValueSeverity``. iOS 14.0, watchOS 7.0.
    public static let nightSweats = Self(rawValue: "HKCategoryTypeIdentifierNightSweats")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let pelvicPain = Self(rawValue: "HKCategoryTypeIdentifierPelvicPain")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let rapidPoundingOrFlutteringHeartbeat = Self(
        rawValue: "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let runnyNose = Self(rawValue: "HKCategoryTypeIdentifierRunnyNose")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let shortnessOfBreath = Self(rawValue: "HKCategoryTypeIdentifierShortnessOfBreath")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let sinusCongestion = Self(rawValue: "HKCategoryTypeIdentifierSinusCongestion")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let skippedHeartbeat = Self(rawValue: "HKCategoryTypeIdentifierSkippedHeartbeat")

    /// Values: ``HKCategoryValuePresence``. iOS 13.6, watchOS 7.0.
    public static let sleepChanges = Self(rawValue: "HKCategoryTypeIdentifierSleepChanges")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let soreThroat = Self(rawValue: "HKCategoryTypeIdentifierSoreThroat")

    /// Values: ``HKCategoryValueSeverity``. iOS 14.0, watchOS 7.0.
    public static let vaginalDryness = Self(rawValue: "HKCategoryTypeIdentifierVaginalDryness")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let vomiting = Self(rawValue: "HKCategoryTypeIdentifierVomiting")

    /// Values: ``HKCategoryValueSeverity``. iOS 13.6, watchOS 7.0.
    public static let wheezing = Self(rawValue: "HKCategoryTypeIdentifierWheezing")
}
