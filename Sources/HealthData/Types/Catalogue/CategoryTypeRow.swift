/// The facts about one category type.
package struct CategoryTypeRow: Sendable {
    let identifier: String
    let swiftName: String
    /// The name of the enumeration with the values.
    let valueTypeName: String
    /// The raw values of that enumeration.
    let allowedValues: Set<Int>
    /// Whether apps may not write samples of the type.
    let readOnly: Bool

    private init<Value: RawRepresentable<Int>>(
        _ identifier: HKCategoryTypeIdentifier, _ values: Value.Type, named swiftName: String? = nil,
        readOnly: Bool = false
    ) {
        self.identifier = identifier.rawValue
        self.swiftName =
            swiftName
            ?? TypeCatalogue.swiftName(ofIdentifier: identifier.rawValue, after: "HKCategoryTypeIdentifier")
        valueTypeName = String(describing: values)
        allowedValues = Set(Self.rawValuesToTry.filter { Value(rawValue: $0) != nil })
        self.readOnly = readOnly
    }

    /// A range wider than any of the enumerations, none of which goes beyond 7.
    private static let rawValuesToTry = 0..<32

    /// Sources: Apple's documentation of macOS 26, and public bug reports for the types that apps may not write.
    /// `readOnly` without such a source: headphoneAudioExposureEvent, hypertensionEvent and sleepApneaEvent, which only
    /// Apple's system reports. The values of hypertensionEvent are a guess by analogy.
    static let all: [CategoryTypeRow] =
        fitness + hearingHealth + heart + mindfulness + mobility + other + reproductiveHealth + respiratory + sleep
        + symptoms

    package static let symptomIdentifiers = Set(symptoms.map(\.identifier))

    private static let fitness: [CategoryTypeRow] = [
        CategoryTypeRow(.appleStandHour, HKCategoryValueAppleStandHour.self, readOnly: true)
    ]

    private static let hearingHealth: [CategoryTypeRow] = [
        CategoryTypeRow(
            .environmentalAudioExposureEvent, HKCategoryValueEnvironmentalAudioExposureEvent.self,
            named: "environmentalAudioExposureEvent", readOnly: true),
        CategoryTypeRow(.headphoneAudioExposureEvent, HKCategoryValueHeadphoneAudioExposureEvent.self, readOnly: true),
    ]

    private static let heart: [CategoryTypeRow] = [
        CategoryTypeRow(.highHeartRateEvent, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.hypertensionEvent, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.irregularHeartRhythmEvent, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.lowCardioFitnessEvent, HKCategoryValueLowCardioFitnessEvent.self, readOnly: true),
        CategoryTypeRow(.lowHeartRateEvent, HKCategoryValue.self, readOnly: true),
    ]

    private static let mindfulness: [CategoryTypeRow] = [
        CategoryTypeRow(.mindfulSession, HKCategoryValue.self)
    ]

    private static let mobility: [CategoryTypeRow] = [
        CategoryTypeRow(.appleWalkingSteadinessEvent, HKCategoryValueAppleWalkingSteadinessEvent.self, readOnly: true)
    ]

    private static let other: [CategoryTypeRow] = [
        CategoryTypeRow(.handwashingEvent, HKCategoryValue.self),
        CategoryTypeRow(.toothbrushingEvent, HKCategoryValue.self),
    ]

    private static let reproductiveHealth: [CategoryTypeRow] = [
        CategoryTypeRow(.bleedingAfterPregnancy, HKCategoryValueVaginalBleeding.self),
        CategoryTypeRow(.bleedingDuringPregnancy, HKCategoryValueVaginalBleeding.self),
        CategoryTypeRow(.cervicalMucusQuality, HKCategoryValueCervicalMucusQuality.self),
        CategoryTypeRow(.contraceptive, HKCategoryValueContraceptive.self),
        CategoryTypeRow(.infrequentMenstrualCycles, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.intermenstrualBleeding, HKCategoryValue.self),
        CategoryTypeRow(.irregularMenstrualCycles, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.lactation, HKCategoryValue.self),
        CategoryTypeRow(.menstrualFlow, HKCategoryValueVaginalBleeding.self),
        CategoryTypeRow(.ovulationTestResult, HKCategoryValueOvulationTestResult.self),
        CategoryTypeRow(.persistentIntermenstrualBleeding, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.pregnancy, HKCategoryValue.self),
        CategoryTypeRow(.pregnancyTestResult, HKCategoryValuePregnancyTestResult.self),
        CategoryTypeRow(.progesteroneTestResult, HKCategoryValueProgesteroneTestResult.self),
        CategoryTypeRow(.prolongedMenstrualPeriods, HKCategoryValue.self, readOnly: true),
        CategoryTypeRow(.sexualActivity, HKCategoryValue.self),
    ]

    private static let respiratory: [CategoryTypeRow] = [
        CategoryTypeRow(.sleepApneaEvent, HKCategoryValue.self, readOnly: true)
    ]

    private static let sleep: [CategoryTypeRow] = [
        CategoryTypeRow(.sleepAnalysis, HKCategoryValueSleepAnalysis.self)
    ]

    private static let symptoms: [CategoryTypeRow] = [
        CategoryTypeRow(.abdominalCramps, HKCategoryValueSeverity.self),
        CategoryTypeRow(.acne, HKCategoryValueSeverity.self),
        CategoryTypeRow(.appetiteChanges, HKCategoryValueAppetiteChanges.self),
        CategoryTypeRow(.bladderIncontinence, HKCategoryValueSeverity.self),
        CategoryTypeRow(.bloating, HKCategoryValueSeverity.self),
        CategoryTypeRow(.breastPain, HKCategoryValueSeverity.self),
        CategoryTypeRow(.chestTightnessOrPain, HKCategoryValueSeverity.self),
        CategoryTypeRow(.chills, HKCategoryValueSeverity.self),
        CategoryTypeRow(.constipation, HKCategoryValueSeverity.self),
        CategoryTypeRow(.coughing, HKCategoryValueSeverity.self),
        CategoryTypeRow(.diarrhea, HKCategoryValueSeverity.self),
        CategoryTypeRow(.dizziness, HKCategoryValueSeverity.self),
        CategoryTypeRow(.drySkin, HKCategoryValueSeverity.self),
        CategoryTypeRow(.fainting, HKCategoryValueSeverity.self),
        CategoryTypeRow(.fatigue, HKCategoryValueSeverity.self),
        CategoryTypeRow(.fever, HKCategoryValueSeverity.self),
        CategoryTypeRow(.generalizedBodyAche, HKCategoryValueSeverity.self),
        CategoryTypeRow(.hairLoss, HKCategoryValueSeverity.self),
        CategoryTypeRow(.headache, HKCategoryValueSeverity.self),
        CategoryTypeRow(.heartburn, HKCategoryValueSeverity.self),
        CategoryTypeRow(.hotFlashes, HKCategoryValueSeverity.self),
        CategoryTypeRow(.lossOfSmell, HKCategoryValueSeverity.self),
        CategoryTypeRow(.lossOfTaste, HKCategoryValueSeverity.self),
        CategoryTypeRow(.lowerBackPain, HKCategoryValueSeverity.self),
        CategoryTypeRow(.memoryLapse, HKCategoryValueSeverity.self),
        CategoryTypeRow(.moodChanges, HKCategoryValuePresence.self),
        CategoryTypeRow(.nausea, HKCategoryValueSeverity.self),
        CategoryTypeRow(.nightSweats, HKCategoryValueSeverity.self),
        CategoryTypeRow(.pelvicPain, HKCategoryValueSeverity.self),
        CategoryTypeRow(.rapidPoundingOrFlutteringHeartbeat, HKCategoryValueSeverity.self),
        CategoryTypeRow(.runnyNose, HKCategoryValueSeverity.self),
        CategoryTypeRow(.shortnessOfBreath, HKCategoryValueSeverity.self),
        CategoryTypeRow(.sinusCongestion, HKCategoryValueSeverity.self),
        CategoryTypeRow(.skippedHeartbeat, HKCategoryValueSeverity.self),
        CategoryTypeRow(.sleepChanges, HKCategoryValuePresence.self),
        CategoryTypeRow(.soreThroat, HKCategoryValueSeverity.self),
        CategoryTypeRow(.vaginalDryness, HKCategoryValueSeverity.self),
        CategoryTypeRow(.vomiting, HKCategoryValueSeverity.self),
        CategoryTypeRow(.wheezing, HKCategoryValueSeverity.self),
    ]
}
