import Analytics
package import Recordings

/// Energy from heart rate, for sessions without a sensor that measures it.
///
/// Gross expenditure by Keytel et al. 2005 over the time that each heart rate holds (at most 30 s), split into what the body
/// spends at rest (1 kcal per kilogram and hour, the usual definition of 1 MET) and what the activity adds. Needs sex,
/// age and mass; without them there is no estimate.
struct EnergyEstimate: Sendable {
    private let expenditure: EnergyExpenditure
    private let restingKilocaloriesPerSecond: Double
    private var last: QuantityReading?

    init?(_ wearer: WearerProfile) {
        guard let expenditure = wearer.energyExpenditure, let mass = wearer.massInKilograms else { return nil }
        self.expenditure = expenditure
        restingKilocaloriesPerSecond = mass / 3600
    }

    /// The energy of the time up to `reading`: active and basal, in kilocalories.
    mutating func add(_ reading: QuantityReading) -> [QuantityReading] {
        defer { last = reading }
        guard let last else { return [] }
        let seconds = reading.start.timeIntervalSince(last.start)
        guard seconds > 0, seconds <= RunningStatistics.gapLimitInSeconds else { return [] }
        let basal = restingKilocaloriesPerSecond * seconds
        let gross = expenditure.kilocaloriesPerMinute(heartRate: last.value) / 60 * seconds
        return [
            QuantityReading(
                "activeEnergyBurned", max(0, gross - basal), unit: "kcal", start: last.start, end: reading.start),
            QuantityReading("basalEnergyBurned", basal, unit: "kcal", start: last.start, end: reading.start),
        ]
    }

    /// Nothing is spent across a pause on the workout's account.
    mutating func pause() {
        last = nil
    }
}
