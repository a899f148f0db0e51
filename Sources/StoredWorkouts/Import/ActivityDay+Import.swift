import Recordings

extension ActivityDay {
    /// Creates the activity of a day from an export.
    init(_ summary: HealthActivitySummary) {
        func kilocalories(_ quantity: HealthQuantity?) -> Double {
            guard let quantity else { return 0 }
            let unit = (try? HKUnit.parse(quantity.unit)) ?? .kilocalorie()
            guard unit.isCompatible(with: .kilocalorie()) else { return 0 }
            return HKQuantity(unit: unit, doubleValue: quantity.value).doubleValue(for: .kilocalorie())
        }
        self.init(day: CivilDay(year: summary.year, month: summary.month, day: summary.day))
        activeEnergyInKilocalories = kilocalories(summary.activeEnergyBurned)
        activeEnergyGoalInKilocalories = kilocalories(summary.activeEnergyBurnedGoal)
        moveTimeInMinutes = summary.appleMoveTimeInMinutes ?? 0
        moveTimeGoalInMinutes = summary.appleMoveTimeGoalInMinutes ?? 0
        exerciseTimeInMinutes = summary.appleExerciseTimeInMinutes ?? 0
        exerciseTimeGoalInMinutes = summary.appleExerciseTimeGoalInMinutes
        standHours = summary.appleStandHours ?? 0
        standHoursGoal = summary.appleStandHoursGoal
        countsMoveTime = moveTimeGoalInMinutes > 0 && activeEnergyGoalInKilocalories == 0
    }
}
