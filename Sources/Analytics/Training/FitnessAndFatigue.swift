import Foundation

/// Fitness, fatigue and form from daily loads: two running means of the load, a slow one and a fast one.
///
/// Sources: Banister, Calvert, Savage & Bach, Aust J Sports Med 7:57–61, 1975 (impulse response); Coggan's constants of
/// 42 and 7 days, with an exponential decay of each day's load. Form is fitness minus fatigue of the day before. The
/// first weeks start from 0 and are too low: ``daysUntilSettled``.
public struct FitnessAndFatigue: Sendable, Equatable {
    public static let fitnessInDays = 42.0
    public static let fatigueInDays = 7.0
    /// After this many days, fitness reaches 86 % of a constant load.
    public static let daysUntilSettled = 84

    /// Chronic load, in units of load per day.
    public private(set) var fitness = 0.0
    /// Acute load, in units of load per day.
    public private(set) var fatigue = 0.0
    /// Form at the start of the day.
    public private(set) var form = 0.0
    public private(set) var days = 0

    public init() {}

    /// Adds the load of the next day, 0 for a day without training. An invalid load counts as 0.
    public mutating func add(dailyLoad: Double) {
        let load = dailyLoad.isFinite ? max(0, dailyLoad) : 0
        form = fitness - fatigue
        fitness += (load - fitness) * (1 - exp(-1 / Self.fitnessInDays))
        fatigue += (load - fatigue) * (1 - exp(-1 / Self.fatigueInDays))
        days += 1
    }
}
