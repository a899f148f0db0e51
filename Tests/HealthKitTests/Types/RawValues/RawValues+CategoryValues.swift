import HealthKit

extension RawValues {
    /// Cases of the values of categories and of states of mind.
    static let categoryValues: [String: String] = all(
        of(
            [
                "veryUnpleasant": .veryUnpleasant, "unpleasant": .unpleasant, "slightlyUnpleasant": .slightlyUnpleasant,
                "neutral": .neutral, "slightlyPleasant": .slightlyPleasant, "pleasant": .pleasant,
                "veryPleasant": .veryPleasant,
            ] as [String: HKStateOfMind.ValenceClassification]),
        of(
            [
                "amazed": .amazed, "amused": .amused, "angry": .angry, "anxious": .anxious, "ashamed": .ashamed,
                "brave": .brave, "calm": .calm, "content": .content, "disappointed": .disappointed,
                "discouraged": .discouraged, "disgusted": .disgusted, "embarrassed": .embarrassed, "excited": .excited,
                "frustrated": .frustrated, "grateful": .grateful, "guilty": .guilty, "happy": .happy,
                "hopeless": .hopeless, "irritated": .irritated, "jealous": .jealous, "joyful": .joyful,
                "lonely": .lonely, "passionate": .passionate, "peaceful": .peaceful, "proud": .proud,
                "relieved": .relieved, "sad": .sad, "scared": .scared, "stressed": .stressed, "surprised": .surprised,
                "worried": .worried, "annoyed": .annoyed, "confident": .confident, "drained": .drained,
                "hopeful": .hopeful, "indifferent": .indifferent, "overwhelmed": .overwhelmed, "satisfied": .satisfied,
            ] as [String: HKStateOfMind.Label]),
        of(
            [
                "community": .community, "currentEvents": .currentEvents, "dating": .dating, "education": .education,
                "family": .family, "fitness": .fitness, "friends": .friends, "health": .health, "hobbies": .hobbies,
                "identity": .identity, "money": .money, "partner": .partner, "selfCare": .selfCare,
                "spirituality": .spirituality, "tasks": .tasks, "travel": .travel, "work": .work, "weather": .weather,
            ] as [String: HKStateOfMind.Association]),
        of(
            [
                "momentaryEmotion": .momentaryEmotion, "dailyMood": .dailyMood,
            ] as [String: HKStateOfMind.Kind]),
        of(
            [
                "notApplicable": .notApplicable
            ] as [String: HKCategoryValue]),
        of(
            [
                "unspecified": .unspecified, "noChange": .noChange, "decreased": .decreased, "increased": .increased,
            ] as [String: HKCategoryValueAppetiteChanges]),
        of(
            [
                "stood": .stood, "idle": .idle,
            ] as [String: HKCategoryValueAppleStandHour]),
        of(
            [
                "initialLow": .initialLow, "initialVeryLow": .initialVeryLow, "repeatLow": .repeatLow,
                "repeatVeryLow": .repeatVeryLow,
            ] as [String: HKCategoryValueAppleWalkingSteadinessEvent]),
        of(
            [
                "loudEnvironment": .loudEnvironment
            ] as [String: HKCategoryValueAudioExposureEvent]),
        of(
            [
                "dry": .dry, "sticky": .sticky, "creamy": .creamy, "watery": .watery, "eggWhite": .eggWhite,
            ] as [String: HKCategoryValueCervicalMucusQuality]),
        of(
            [
                "unspecified": .unspecified, "implant": .implant, "injection": .injection,
                "intrauterineDevice": .intrauterineDevice, "intravaginalRing": .intravaginalRing, "oral": .oral,
                "patch": .patch,
            ] as [String: HKCategoryValueContraceptive]),
        of(
            [
                "momentaryLimit": .momentaryLimit
            ] as [String: HKCategoryValueEnvironmentalAudioExposureEvent]),
        of(
            [
                "sevenDayLimit": .sevenDayLimit
            ] as [String: HKCategoryValueHeadphoneAudioExposureEvent]),
        of(
            [
                "lowFitness": .lowFitness
            ] as [String: HKCategoryValueLowCardioFitnessEvent]),
        of(
            [
                "unspecified": .unspecified, "light": .light, "medium": .medium, "heavy": .heavy, "none": .none,
            ] as [String: HKCategoryValueMenstrualFlow]),
        of(
            [
                "negative": .negative, "luteinizingHormoneSurge": .luteinizingHormoneSurge,
                "indeterminate": .indeterminate, "estrogenSurge": .estrogenSurge, "positive": .positive,
            ] as [String: HKCategoryValueOvulationTestResult]),
        of(
            [
                "negative": .negative, "positive": .positive, "indeterminate": .indeterminate,
            ] as [String: HKCategoryValuePregnancyTestResult]),
        of(
            [
                "present": .present, "notPresent": .notPresent,
            ] as [String: HKCategoryValuePresence]),
        of(
            [
                "negative": .negative, "positive": .positive, "indeterminate": .indeterminate,
            ] as [String: HKCategoryValueProgesteroneTestResult]),
        of(
            [
                "unspecified": .unspecified, "notPresent": .notPresent, "mild": .mild, "moderate": .moderate,
                "severe": .severe,
            ] as [String: HKCategoryValueSeverity]),
        of(
            [
                "inBed": .inBed, "asleepUnspecified": .asleepUnspecified, "awake": .awake, "asleepCore": .asleepCore,
                "asleepDeep": .asleepDeep, "asleepREM": .asleepREM, "asleep": .asleep,
            ] as [String: HKCategoryValueSleepAnalysis]),
        of(
            [
                "unspecified": .unspecified, "light": .light, "medium": .medium, "heavy": .heavy, "none": .none,
            ] as [String: HKCategoryValueVaginalBleeding])
    )
}
