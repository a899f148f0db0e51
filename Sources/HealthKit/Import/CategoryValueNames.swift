/// The words that an Apple Health export has for category values, such as `HKCategoryValueSleepAnalysisAsleepCore`: the
/// name of the enumeration and of its case.
enum CategoryValueNames {
    /// Nil for a word that names no value.
    static func value(_ word: String) -> Int? { values[word] }

    private static let values: [String: Int] = {
        var values = older
        // Wider than any of the enumerations.
        for number in 0..<32 {
            func add<Value: RawRepresentable<Int>>(_ type: Value.Type) {
                guard let value = type.init(rawValue: number) else { return }
                let name = String(describing: value)
                values["\(type)" + name.prefix(1).uppercased() + name.dropFirst()] = number
            }
            add(HKCategoryValue.self)
            add(HKCategoryValueAppetiteChanges.self)
            add(HKCategoryValueAppleStandHour.self)
            add(HKCategoryValueAppleWalkingSteadinessEvent.self)
            add(HKCategoryValueCervicalMucusQuality.self)
            add(HKCategoryValueContraceptive.self)
            add(HKCategoryValueEnvironmentalAudioExposureEvent.self)
            add(HKCategoryValueHeadphoneAudioExposureEvent.self)
            add(HKCategoryValueLowCardioFitnessEvent.self)
            add(HKCategoryValueOvulationTestResult.self)
            add(HKCategoryValuePregnancyTestResult.self)
            add(HKCategoryValuePresence.self)
            add(HKCategoryValueProgesteroneTestResult.self)
            add(HKCategoryValueSeverity.self)
            add(HKCategoryValueSleepAnalysis.self)
            add(HKCategoryValueVaginalBleeding.self)
            // What older systems called the same values.
            if let value = HKCategoryValueVaginalBleeding(rawValue: number) {
                let name = String(describing: value)
                values["HKCategoryValueMenstrualFlow" + name.prefix(1).uppercased() + name.dropFirst()] = number
            }
        }
        return values
    }()

    /// Words of older systems for values that have another name today.
    private static let older = [
        "HKCategoryValueAudioExposureEventLoudEnvironment":
            HKCategoryValueEnvironmentalAudioExposureEvent.momentaryLimit.rawValue,
        "HKCategoryValueSleepAnalysisAsleep": HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue,
        "HKCategoryValueOvulationTestResultPositive":
            HKCategoryValueOvulationTestResult.luteinizingHormoneSurge.rawValue,
    ]
}
