package import Analytics

extension WearerProfile {
    /// The maximum heart rate: measured, or estimated from the age (Tanaka 2001).
    package var effectiveMaximumHeartRate: Double? {
        maximumHeartRate ?? ageInYears.map { MaximumHeartRate.tanaka.estimate(ageInYears: $0) }
    }

    /// The wearer's own zones. Otherwise five zones of the heart-rate reserve if the resting heart rate is known
    /// (Karvonen 1957), else of the maximum (Edwards 1993). Nil while what they are computed from is neither known nor
    /// to be estimated.
    package var heartRateZones: HeartRateZones? {
        if let heartRateZoneLowerBounds { return HeartRateZones(lowerBounds: heartRateZoneLowerBounds) }
        guard let maximum = effectiveMaximumHeartRate else { return nil }
        guard let resting = restingHeartRate, resting < maximum else {
            return HeartRateZones(maximumHeartRate: maximum)
        }
        return HeartRateZones(maximumHeartRate: maximum, restingHeartRate: resting)
    }

    /// What energy is estimated with. Needs sex, age and mass. The equation has two sexes.
    package var energyExpenditure: EnergyExpenditure? {
        guard let sex = sex.flatMap({ Analytics.Sex(rawValue: $0.rawValue) }), let age = ageInYears,
            let mass = massInKilograms, let maximum = effectiveMaximumHeartRate
        else { return nil }
        return EnergyExpenditure(
            sex: sex, ageInYears: age, massInKilograms: mass, maximumOxygenUptake: vo2Max,
            restingHeartRate: restingHeartRate ?? Self.usualRestingHeartRate, maximumHeartRate: maximum)
    }

    /// The default of an unknown resting heart rate: the lower end of the range for adults.
    static let usualRestingHeartRate = 60.0
}
