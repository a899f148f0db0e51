import Foundation

/// Fitness, fatigue and form from the loads of days: two running means of the load, a slow one and a fast one.
///
/// Sources: Banister, Calvert, Savage & Bach, Aust J Sports Med 7:57–61, 1975 (impulse response); Coggan's constants of 42 and
/// 7 days, with the response of each day's load decaying exponentially. Form is fitness less fatigue of the day before. The
/// first weeks start from 0 and are too low: ``daysUntilSettled``.
public struct FitnessAndFatigue: Sendable, Equatable {
    public static let fitnessInDays = 42.0
    public static let fatigueInDays = 7.0
    /// After so many days fitness knows 86 % of a load that never changed.
    public static let daysUntilSettled = 84

    /// Chronic load, in units of load a day.
    public private(set) var fitness = 0.0
    /// Acute load, in units of load a day.
    public private(set) var fatigue = 0.0
    /// What the day began with.
    public private(set) var form = 0.0
    public private(set) var days = 0

    public init() {}

    /// The next day is over; a day without training has a load of 0. A load that is none counts as 0.
    public mutating func add(dailyLoad: Double) {
        let load = dailyLoad.isFinite ? max(0, dailyLoad) : 0
        form = fitness - fatigue
        fitness += (load - fitness) * (1 - exp(-1 / Self.fitnessInDays))
        fatigue += (load - fatigue) * (1 - exp(-1 / Self.fatigueInDays))
        days += 1
    }
}
