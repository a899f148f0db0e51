/// The rings of one day.
public struct HealthActivitySummary: Sendable, Equatable {
    /// The year in the wearer's calendar.
    public var year: Int
    /// The month, 1 … 12.
    public var month: Int
    /// The day, 1 … 31.
    public var day: Int
    /// The energy of the move ring. Nil if the export does not state it; the same applies to all other values.
    public var activeEnergyBurned: HealthQuantity?
    /// The goal of the move ring, if there is one.
    public var activeEnergyBurnedGoal: HealthQuantity?
    /// The minutes of the move ring, if it counts minutes.
    public var appleMoveTimeInMinutes: Double?
    /// The goal in minutes, if there is one.
    public var appleMoveTimeGoalInMinutes: Double?
    /// The minutes of the exercise ring.
    public var appleExerciseTimeInMinutes: Double?
    /// The goal of the exercise ring, if there is one.
    public var appleExerciseTimeGoalInMinutes: Double?
    /// The hours in which the wearer stood.
    public var appleStandHours: Double?
    /// The goal of the stand ring, if there is one.
    public var appleStandHoursGoal: Double?
}
