import Archiving
import Foundation
import HealthData
import Testing

struct HKActivitySummaryTests {
    private func summary() -> HKActivitySummary {
        let summary = HKActivitySummary(ActivityDay(day: CivilDay(year: 2024, month: 5, day: 6)))
        summary.activityMoveMode = .appleMoveTime
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 400)
        summary.appleExerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: 30)
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: 9)
        summary.isPaused = true
        return summary
    }

    @Test func `a new summary is zero and has no goals`() {
        let summary = HKActivitySummary()
        #expect(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 0)
        #expect(summary.appleStandHoursGoal.doubleValue(for: .count()) == 0)
        #expect(summary.standHoursGoal == nil)
        #expect(summary.activityMoveMode == .activeEnergy)
    }

    @Test func `a summary knows its day`() {
        let components = summary().dateComponents(for: Calendar(identifier: .gregorian))
        #expect(components.year == 2024)
        #expect(components.month == 5)
        #expect(components.day == 6)
        #expect(components.calendar?.identifier == .gregorian)
    }

    @Test func `a copy and an archive are equal and independent`() throws {
        let original = summary()
        let copy = try #require(original.copy() as? HKActivitySummary)
        #expect(copy == original)
        #expect(try archivedAndRead(original) == original)
        copy.isPaused = false
        #expect(copy != original)
        #expect(original.exerciseTimeGoal?.doubleValue(for: .minute()) == 30)
    }

    @Test func `energy in minutes traps`() async {
        await #expect(processExitsWith: .failure) {
            HKActivitySummary().activeEnergyBurned = HKQuantity(unit: .minute(), doubleValue: 1)
        }
    }
}
