extension HKCategoryTypeIdentifier {
    // MARK: Reproductive Health

    /// Values: ``HKCategoryValueVaginalBleeding``. iOS 18.0, watchOS 11.0.
    public static let bleedingAfterPregnancy = Self(rawValue: "HKCategoryTypeIdentifierBleedingAfterPregnancy")

    /// Values: ``HKCategoryValueVaginalBleeding``. iOS 18.0, watchOS 11.0.
    public static let bleedingDuringPregnancy = Self(rawValue: "HKCategoryTypeIdentifierBleedingDuringPregnancy")

    /// Values: ``HKCategoryValueCervicalMucusQuality``. iOS 9.0, watchOS 2.0.
    public static let cervicalMucusQuality = Self(rawValue: "HKCategoryTypeIdentifierCervicalMucusQuality")

    /// Values: ``HKCategoryValueContraceptive``. iOS 14.3, watchOS 7.2.
    public static let contraceptive = Self(rawValue: "HKCategoryTypeIdentifierContraceptive")

    /// Values: ``HKCategoryValue``. iOS 16.0, watchOS 9.0.
    public static let infrequentMenstrualCycles = Self(rawValue: "HKCategoryTypeIdentifierInfrequentMenstrualCycles")

    /// Values: ``HKCategoryValue``. iOS 9.0, watchOS 2.0.
    public static let intermenstrualBleeding = Self(rawValue: "HKCategoryTypeIdentifierIntermenstrualBleeding")

    /// Values: ``HKCategoryValue``. iOS 16.0, watchOS 9.0.
    public static let irregularMenstrualCycles = Self(rawValue: "HKCategoryTypeIdentifierIrregularMenstrualCycles")

    /// Values: ``HKCategoryValue``. iOS 14.3, watchOS 7.2.
    public static let lactation = Self(rawValue: "HKCategoryTypeIdentifierLactation")

    /// Values: ``HKCategoryValueVaginalBleeding``. iOS 9.0, watchOS 2.0.
    public static let menstrualFlow = Self(rawValue: "HKCategoryTypeIdentifierMenstrualFlow")

    /// Values: ``HKCategoryValueOvulationTestResult``. iOS 9.0, watchOS 2.0.
    public static let ovulationTestResult = Self(rawValue: "HKCategoryTypeIdentifierOvulationTestResult")

    /// Values: ``HKCategoryValue``. iOS 16.0, watchOS 9.0.
    public static let persistentIntermenstrualBleeding = Self(
        rawValue: "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding")

    /// Values: ``HKCategoryValue``. iOS 14.3, watchOS 7.2.
    public static let pregnancy = Self(rawValue: "HKCategoryTypeIdentifierPregnancy")

    /// Values: ``HKCategoryValuePregnancyTestResult``. iOS 15.0, watchOS 8.0.
    public static let pregnancyTestResult = Self(rawValue: "HKCategoryTypeIdentifierPregnancyTestResult")

    /// Values: ``HKCategoryValueProgesteroneTestResult``. iOS 15.0, watchOS 8.0.
    public static let progesteroneTestResult = Self(rawValue: "HKCategoryTypeIdentifierProgesteroneTestResult")

    /// Values: ``HKCategoryValue``. iOS 16.0, watchOS 9.0.
    public static let prolongedMenstrualPeriods = Self(rawValue: "HKCategoryTypeIdentifierProlongedMenstrualPeriods")

    /// Values: ``HKCategoryValue``. iOS 9.0, watchOS 2.0.
    public static let sexualActivity = Self(rawValue: "HKCategoryTypeIdentifierSexualActivity")
}
