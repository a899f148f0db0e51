/// The words that an Apple Health export has for category values, such as `HKCategoryValueSleepAnalysisAsleepCore`: the
/// name of the enumeration and of its case.
///
/// A table and no reflection: an app that gives an enumeration a description of its own would change what
/// `String(describing:)` says.
enum CategoryValueNames {
    /// Nil for a word that names no value.
    static func value(_ word: String) -> Int? { values[word] }

    /// The word of today for a value of an enumeration; nil when it has no such value.
    static func name(_ value: Int, of enumeration: String) -> String? {
        guard let row = enumerations.first(where: { "HKCategoryValue" + $0.type == enumeration }) else { return nil }
        let names = row.names.split(separator: " ")
        let place = value - row.first
        return names.indices.contains(place) ? String(names[place]) : nil
    }

    private static let values: [String: Int] = {
        var values = older
        for (type, first, names) in enumerations {
            for (offset, name) in names.split(separator: " ").enumerated() {
                values["HKCategoryValue\(type)\(name)"] = first + offset
            }
        }
        return values
    }()

    /// An enumeration without its prefix, its first raw value, and its cases from there on.
    private static let enumerations: [(type: String, first: Int, names: String)] = [
        ("", 0, "NotApplicable"),
        ("AppetiteChanges", 0, "Unspecified NoChange Decreased Increased"),
        ("AppleStandHour", 0, "Stood Idle"),
        ("AppleWalkingSteadinessEvent", 1, "InitialLow InitialVeryLow RepeatLow RepeatVeryLow"),
        ("CervicalMucusQuality", 1, "Dry Sticky Creamy Watery EggWhite"),
        ("Contraceptive", 1, "Unspecified Implant Injection IntrauterineDevice IntravaginalRing Oral Patch"),
        ("EnvironmentalAudioExposureEvent", 1, "MomentaryLimit"),
        ("HeadphoneAudioExposureEvent", 1, "SevenDayLimit"),
        ("LowCardioFitnessEvent", 1, "LowFitness"),
        ("MenstrualFlow", 1, "Unspecified Light Medium Heavy None"),
        ("OvulationTestResult", 1, "Negative LuteinizingHormoneSurge Indeterminate EstrogenSurge"),
        ("PregnancyTestResult", 1, "Negative Positive Indeterminate"),
        ("Presence", 0, "Present NotPresent"),
        ("ProgesteroneTestResult", 1, "Negative Positive Indeterminate"),
        ("Severity", 0, "Unspecified NotPresent Mild Moderate Severe"),
        ("SleepAnalysis", 0, "InBed AsleepUnspecified Awake AsleepCore AsleepDeep AsleepREM"),
        ("VaginalBleeding", 1, "Unspecified Light Medium Heavy None"),
    ]

    /// Words of older systems for values that have another name today.
    private static let older = [
        "HKCategoryValueAudioExposureEventLoudEnvironment":
            HKCategoryValueEnvironmentalAudioExposureEvent.momentaryLimit.rawValue,
        "HKCategoryValueSleepAnalysisAsleep": HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue,
        "HKCategoryValueOvulationTestResultPositive":
            HKCategoryValueOvulationTestResult.luteinizingHormoneSurge.rawValue,
    ]
}

extension HKCategoryType {
    /// What a value is called: the name of its case, such as `asleepCore`. Nil for a value that the type does not have.
    package func caseName(of value: Int) -> String? {
        CategoryValueNames.name(value, of: valueTypeName).map { $0.prefix(1).lowercased() + $0.dropFirst() }
    }
}
