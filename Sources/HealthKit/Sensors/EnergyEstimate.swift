import Analytics
package import SessionLog

/// Energy from heart rate, for sessions without a sensor that measures it.
///
/// Expenditure by Keytel et al. 2005 (see `EnergyExpenditure`) over the time that each heart rate holds, at most 30 s,
/// split into what the body spends at rest and what the activity adds. Needs sex, age and mass; without them there is no
/// estimate.
package struct EnergyEstimate: Sendable {
    private let expenditure: EnergyExpenditure
    private var last: (heartRate: Double, date: Date)?
    private static let active = ReadingKind("activeEnergyBurned", unit: "kcal", sensor: SensorStatus.thisMachine)
    private static let basal = ReadingKind("basalEnergyBurned", unit: "kcal", sensor: SensorStatus.thisMachine)

    package init?(_ wearer: WearerProfile) {
        guard let expenditure = wearer.energyExpenditure else { return nil }
        self.expenditure = expenditure
    }

    /// Nil where one of the sensors says what was spent: to estimate it besides would count it twice.
    package init?(_ wearer: WearerProfile, beside sensors: [any Sensor]) {
        if sensors.contains(where: { $0.statesEnergy }) { return nil }
        self.init(wearer)
    }

    /// The energy of the time up to `date`, at which the heart rate was measured: active and basal, in kilocalories.
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

    /// Nothing is spent across a pause on the workout's account.
    package mutating func pause() {
        last = nil
    }
}
