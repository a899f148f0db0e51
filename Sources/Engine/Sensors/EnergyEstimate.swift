import Analytics
package import Foundation
package import SessionLog

/// Energy from heart rate, for sessions without a sensor that measures it.
///
/// It uses Keytel et al. 2005 (see `EnergyExpenditure`) for the time that each heart rate is held, at most 30 s, and
/// splits the result into energy at rest and active energy. It needs sex, age and mass.
package struct EnergyEstimate: Sendable {
    private let expenditure: EnergyExpenditure
    private var last: (heartRate: Double, date: Date)?
    private static let active = ReadingKind("activeEnergyBurned", unit: "kcal", sensor: SensorStatus.thisMachine)
    private static let basal = ReadingKind("basalEnergyBurned", unit: "kcal", sensor: SensorStatus.thisMachine)

    package init?(_ wearer: WearerProfile) {
        guard let expenditure = wearer.energyExpenditure else { return nil }
        self.expenditure = expenditure
    }

    /// Nil if one of the sensors measures energy, which would count twice.
    package init?(_ wearer: WearerProfile, beside sensors: [any Sensor]) {
        if sensors.contains(where: { $0.statesEnergy }) { return nil }
        self.init(wearer)
    }

    /// Returns the active and basal energy until `date`, at which the heart rate was measured, in kilocalories.
    package mutating func add(_ heartRate: Double, at date: Date) -> [QuantityReading] {
        defer { last = (heartRate, date) }
        guard let last else { return [] }
        let seconds = date.timeIntervalSince(last.date)
        guard seconds > 0, seconds <= RunningStatistics.gapLimitInSeconds else { return [] }
        let minutesToKilocalories = seconds / 60 / EnergyExpenditure.kilojoulesPerKilocalorie
        let basal = expenditure.restingKilojoulesPerMinute * minutesToKilocalories
        let active = expenditure.activeKilojoulesPerMinute(atHeartRate: last.heartRate) * minutesToKilocalories
        return [
            QuantityReading(Self.active, active, start: last.date, end: date),
            QuantityReading(Self.basal, basal, start: last.date, end: date),
        ]
    }

    /// Energy in pauses does not count for the workout.
    package mutating func pause() {
        last = nil
    }
}
