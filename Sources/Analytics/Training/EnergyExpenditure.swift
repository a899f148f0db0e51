/// Energy expended, estimated from the heart rate.
///
/// The equations of Keytel et al., J Sports Sci 23:289–297, 2005, were fitted at 57 to 90 % of the maximum heart rate
/// and are useless near rest, where the men's line falls below zero. So below 60 % of the maximum heart rate, the
/// estimate follows a straight line from the equation's value there down to the resting rate at the resting heart rate.
/// Below that it stays at the resting rate. It is never less than the resting rate.
///
/// Integrate interval by interval over active time; the figure for the mean heart rate would differ.
public struct EnergyExpenditure: Sendable, Equatable {
    public var sex: Sex
    public var ageInYears: Double
    public var massInKilograms: Double
    /// Improves the estimate if it is known; in ml/(kg·min).
    public var maximumOxygenUptake: Double?
    /// Improves the resting rate if it is known.
    public var heightInCentimeters: Double?
    public var restingHeartRate: Double
    public var maximumHeartRate: Double

    /// The fraction of the maximum heart rate from which only Keytel's equation is used.
    public static let equationBeginsAtFractionOfMaximum = 0.6
    public static let kilojoulesPerKilocalorie = 4.184

    public init(
        sex: Sex, ageInYears: Double, massInKilograms: Double, maximumOxygenUptake: Double? = nil,
        heightInCentimeters: Double? = nil, restingHeartRate: Double, maximumHeartRate: Double
    ) {
        self.sex = sex
        self.ageInYears = ageInYears
        self.massInKilograms = massInKilograms
        self.maximumOxygenUptake = maximumOxygenUptake
        self.heightInCentimeters = heightInCentimeters
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
    }

    /// Returns all energy expended, with that of rest, in kJ/min.
    public func grossKilojoulesPerMinute(atHeartRate heartRate: Double) -> Double {
        let resting = restingKilojoulesPerMinute
        let threshold = Self.equationBeginsAtFractionOfMaximum * maximumHeartRate
        if heartRate >= threshold { return max(resting, keytel(heartRate)) }
        guard heartRate > restingHeartRate else { return resting }
        let share = (heartRate - restingHeartRate) / (threshold - restingHeartRate)
        return resting + share * (max(resting, keytel(threshold)) - resting)
    }

    /// Returns energy expended beyond that of rest, in kJ/min. HealthKit calls it active energy.
    public func activeKilojoulesPerMinute(atHeartRate heartRate: Double) -> Double {
        grossKilojoulesPerMinute(atHeartRate: heartRate) - restingKilojoulesPerMinute
    }

    /// Energy expended at rest, in kJ/min: by Mifflin, St Jeor et al., Am J Clin Nutr 51:241–247, 1990, if the height
    /// is known, otherwise one MET, 1 kcal/(kg·h).
    public var restingKilojoulesPerMinute: Double {
        guard let heightInCentimeters else { return massInKilograms / 60 * Self.kilojoulesPerKilocalorie }
        let offset: Double =
            switch sex {
            case .male: 5
            case .female: -161
            }
        let kilocaloriesPerDay = 10 * massInKilograms + 6.25 * heightInCentimeters - 5 * ageInYears + offset
        return max(0, kilocaloriesPerDay) / (24 * 60) * Self.kilojoulesPerKilocalorie
    }

    /// Keytel's equation as published, in kJ/min, clamped at 0. The negative weight term for women is as in the paper.
    public static func keytel(
        heartRate: Double, sex: Sex, ageInYears age: Double, massInKilograms mass: Double,
        maximumOxygenUptake: Double? = nil
    ) -> Double {
        let estimate =
            switch (sex, maximumOxygenUptake) {
            case (.male, nil): -55.0969 + 0.6309 * heartRate + 0.1988 * mass + 0.2017 * age
            case (.female, nil): -20.4022 + 0.4472 * heartRate - 0.1263 * mass + 0.0740 * age
            case (.male, let uptake?):
                -59.3954 - 36.3781 + 0.271 * age + 0.394 * mass + 0.404 * uptake + 0.634 * heartRate
            case (.female, let uptake?):
                -59.3954 + 0.274 * age + 0.103 * mass + 0.380 * uptake + 0.450 * heartRate
            }
        return max(0, estimate)
    }

    private func keytel(_ heartRate: Double) -> Double {
        Self.keytel(
            heartRate: heartRate, sex: sex, ageInYears: ageInYears, massInKilograms: massInKilograms,
            maximumOxygenUptake: maximumOxygenUptake)
    }
}
