import Testing

@testable import StoredWorkouts

@Suite struct CategoryValueNamesTests {
    @Test(arguments: [
        ("HKCategoryValueSleepAnalysisInBed", 0), ("HKCategoryValueSleepAnalysisAsleep", 1),
        ("HKCategoryValueSleepAnalysisAsleepREM", 5), ("HKCategoryValueAppleStandHourIdle", 1),
        ("HKCategoryValueNotApplicable", 0), ("HKCategoryValueMenstrualFlowHeavy", 4),
        ("HKCategoryValueSeverityModerate", 3), ("HKCategoryValueOvulationTestResultPositive", 2),
    ])
    func `a word of an export is a value`(word: String, value: Int) {
        #expect(CategoryValueNames.value(word) == value)
    }

    @Test func `another word is not a value`() {
        #expect(CategoryValueNames.value("HKCategoryValueSleepAnalysisFlying") == nil)
    }
}
