/// The rings of one day.
public struct HealthActivitySummary: Sendable, Equatable {
    /// The day on the wearer's calendar.
    public var year: Int
    /// 1 … 12.
    public var month: Int
    /// 1 … 31.
    public var day: Int
    /// Nil where the export does not say, as all of the rest.
    public var activeEnergyBurned: HealthQuantity?
    /// Nil where there is no goal.
    public var activeEnergyBurnedGoal: HealthQuantity?
    /// Counts where the wearer's ring counts minutes.
    public var appleMoveTimeInMinutes: Double?
    /// Nil where there is no goal.
    public var appleMoveTimeGoalInMinutes: Double?
    /// Of the exercise ring.
    public var appleExerciseTimeInMinutes: Double?
    /// Nil where there is no goal.
    public var appleExerciseTimeGoalInMinutes: Double?
    /// Hours in which the wearer stood.
    public var appleStandHours: Double?
    /// Nil where there is no goal.
    public var appleStandHoursGoal: Double?
}
