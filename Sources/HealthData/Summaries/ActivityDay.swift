/// What an activity summary says of a day, as it is stored.
package struct ActivityDay: Hashable, Sendable, Codable {
    /// Nil for one that an app made.
    package var day: CivilDay?
    package var activeEnergyInKilocalories = 0.0
    package var activeEnergyGoalInKilocalories = 0.0
    package var moveTimeInMinutes = 0.0
    package var moveTimeGoalInMinutes = 0.0
    package var exerciseTimeInMinutes = 0.0
    package var exerciseTimeGoalInMinutes: Double?
    package var standHours = 0.0
    package var standHoursGoal: Double?
    package var countsMoveTime = false
    package var isPaused = false

    package init(day: CivilDay? = nil) {
        self.day = day
    }
}
