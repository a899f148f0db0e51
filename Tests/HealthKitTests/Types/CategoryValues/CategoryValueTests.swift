import HealthKit
import Testing

struct CategoryValueTests {
    typealias Case = (name: String, rawValue: Int)

    /// The cases of every enumeration in the reference table of types, as compiled.
    static let cases: [String: [Case]] = [
        "HKCategoryValue": cases(
            [
                (.notApplicable, "notApplicable")
            ] as [(HKCategoryValue, String)]),
        "HKCategoryValueAppetiteChanges": cases(
            [
                (.unspecified, "unspecified"),
                (.noChange, "noChange"),
                (.decreased, "decreased"),
                (.increased, "increased"),
            ] as [(HKCategoryValueAppetiteChanges, String)]),
        "HKCategoryValueAppleStandHour": cases(
            [
                (.stood, "stood"),
                (.idle, "idle"),
            ] as [(HKCategoryValueAppleStandHour, String)]),
        "HKCategoryValueAppleWalkingSteadinessEvent": cases(
            [
                (.initialLow, "initialLow"),
                (.initialVeryLow, "initialVeryLow"),
                (.repeatLow, "repeatLow"),
                (.repeatVeryLow, "repeatVeryLow"),
            ] as [(HKCategoryValueAppleWalkingSteadinessEvent, String)]),
        "HKCategoryValueCervicalMucusQuality": cases(
            [
                (.dry, "dry"),
                (.sticky, "sticky"),
                (.creamy, "creamy"),
                (.watery, "watery"),
                (.eggWhite, "eggWhite"),
            ] as [(HKCategoryValueCervicalMucusQuality, String)]),
        "HKCategoryValueContraceptive": cases(
            [
                (.unspecified, "unspecified"),
                (.implant, "implant"),
                (.injection, "injection"),
                (.intrauterineDevice, "intrauterineDevice"),
                (.intravaginalRing, "intravaginalRing"),
                (.oral, "oral"),
                (.patch, "patch"),
            ] as [(HKCategoryValueContraceptive, String)]),
        "HKCategoryValueEnvironmentalAudioExposureEvent": cases(
            [
                (.momentaryLimit, "momentaryLimit")
            ] as [(HKCategoryValueEnvironmentalAudioExposureEvent, String)]),
        "HKCategoryValueHeadphoneAudioExposureEvent": cases(
            [
                (.sevenDayLimit, "sevenDayLimit")
            ] as [(HKCategoryValueHeadphoneAudioExposureEvent, String)]),
        "HKCategoryValueLowCardioFitnessEvent": cases(
            [
                (.lowFitness, "lowFitness")
            ] as [(HKCategoryValueLowCardioFitnessEvent, String)]),
        "HKCategoryValueVaginalBleeding": cases(
            [
                (.unspecified, "unspecified"),
                (.light, "light"),
                (.medium, "medium"),
                (.heavy, "heavy"),
                (.none, "none"),
            ] as [(HKCategoryValueVaginalBleeding, String)]),
        "HKCategoryValueOvulationTestResult": cases(
            [
                (.negative, "negative"),
                (.luteinizingHormoneSurge, "luteinizingHormoneSurge"),
                (.indeterminate, "indeterminate"),
                (.estrogenSurge, "estrogenSurge"),
            ] as [(HKCategoryValueOvulationTestResult, String)]),
        "HKCategoryValuePregnancyTestResult": cases(
            [
                (.negative, "negative"),
                (.positive, "positive"),
                (.indeterminate, "indeterminate"),
            ] as [(HKCategoryValuePregnancyTestResult, String)]),
        "HKCategoryValueProgesteroneTestResult": cases(
            [
                (.negative, "negative"),
                (.positive, "positive"),
                (.indeterminate, "indeterminate"),
            ] as [(HKCategoryValueProgesteroneTestResult, String)]),
        "HKCategoryValuePresence": cases(
            [
                (.present, "present"),
                (.notPresent, "notPresent"),
            ] as [(HKCategoryValuePresence, String)]),
        "HKCategoryValueSeverity": cases(
            [
                (.unspecified, "unspecified"),
                (.notPresent, "notPresent"),
                (.mild, "mild"),
                (.moderate, "moderate"),
                (.severe, "severe"),
            ] as [(HKCategoryValueSeverity, String)]),
        "HKCategoryValueSleepAnalysis": cases(
            [
                (.inBed, "inBed"),
                (.asleepUnspecified, "asleepUnspecified"),
                (.awake, "awake"),
                (.asleepCore, "asleepCore"),
                (.asleepDeep, "asleepDeep"),
                (.asleepREM, "asleepREM"),
            ] as [(HKCategoryValueSleepAnalysis, String)]),
        "HKBiologicalSex": cases(
            [
                (.notSet, "notSet"),
                (.female, "female"),
                (.male, "male"),
                (.other, "other"),
            ] as [(HKBiologicalSex, String)]),
        "HKBloodType": cases(
            [
                (.notSet, "notSet"),
                (.aPositive, "aPositive"),
                (.aNegative, "aNegative"),
                (.bPositive, "bPositive"),
                (.bNegative, "bNegative"),
                (.abPositive, "abPositive"),
                (.abNegative, "abNegative"),
                (.oPositive, "oPositive"),
                (.oNegative, "oNegative"),
            ] as [(HKBloodType, String)]),
        "HKFitzpatrickSkinType": cases(
            [
                (.notSet, "notSet"),
                (.I, "I"),
                (.II, "II"),
                (.III, "III"),
                (.IV, "IV"),
                (.V, "V"),
                (.VI, "VI"),
            ] as [(HKFitzpatrickSkinType, String)]),
        "HKWheelchairUse": cases(
            [
                (.notSet, "notSet"),
                (.no, "no"),
                (.yes, "yes"),
            ] as [(HKWheelchairUse, String)]),
        "HKActivityMoveMode": cases(
            [
                (.activeEnergy, "activeEnergy"),
                (.appleMoveTime, "appleMoveTime"),
            ] as [(HKActivityMoveMode, String)]),
    ]

    private static func cases<Value: RawRepresentable<Int>>(_ cases: [(Value, String)]) -> [Case] {
        cases.map { ($1, $0.rawValue) }
    }

    @Test func `surprising values are Apple's`() {
        #expect(HKCategoryValuePresence.present.rawValue == 0)
        #expect(HKCategoryValueAppleStandHour.stood.rawValue == 0)
        #expect(HKCategoryValueSeverity.notPresent.rawValue == 1)
        #expect(HKCategoryValueVaginalBleeding.none.rawValue == 5)
        #expect(HKCategoryValueSleepAnalysis.awake.rawValue == 2)
    }

    @Test func `asleep includes every stage except in bed and awake`() {
        #expect(
            HKCategoryValueSleepAnalysis.allAsleepValues == [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM])
    }

    @Test(arguments: [
        (HKCategoryTypeIdentifier.sleepAnalysis, 0...5), (.mindfulSession, 0...0), (.headache, 0...4),
        (.contraceptive, 1...7), (.lowCardioFitnessEvent, 1...1), (.moodChanges, 0...1),
    ])
    func `a category type accepts only the values of its enumeration`(
        identifier: HKCategoryTypeIdentifier, values: ClosedRange<Int>
    ) {
        #expect(HKCategoryType(identifier).allowedValues == Set(values))
    }
}
