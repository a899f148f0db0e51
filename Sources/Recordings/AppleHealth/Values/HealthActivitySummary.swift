/// The rings of one day.
public struct HealthActivitySummary: Sendable, Equatable {
    /// The day on the wearer's calendar.
    public var year: Int
    public var month: Int
    public var day: Int
    public var activeEnergyBurned: HealthQuantity?
    public var activeEnergyBurnedGoal: HealthQuantity?
    public var appleMoveTimeInMinutes: Double?
    public var appleMoveTimeGoalInMinutes: Double?
    public var appleExerciseTimeInMinutes: Double?
    public var appleExerciseTimeGoalInMinutes: Double?
    public var appleStandHours: Double?
    public var appleStandHoursGoal: Double?
}
