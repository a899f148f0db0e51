import Analytics
import Testing

struct EnergyExpenditureTests {
    @Test(
        arguments: [
            (.male, 150, 80, 35, nil, 62.5016, 14.9382), (.female, 150, 60, 35, nil, 41.6898, 9.9641),
            (.male, 150, 80, 35, 50, 60.5315, 14.4674), (.female, 150, 60, 35, 45, 40.9746, 9.7932),
            (.male, 120, 75, 25, nil, 40.5636, 9.6949), (.female, 120, 65, 45, nil, 28.3823, 6.7835),
        ] as [(Sex, Double, Double, Double, Double?, Double, Double)])
    func `Keytel's equation gives the published values`(
        _ sex: Sex, _ heartRate: Double, _ mass: Double, _ age: Double, _ uptake: Double?, _ kilojoules: Double,
        _ kilocalories: Double
    ) {
        let estimate = EnergyExpenditure.keytel(
            heartRate: heartRate, sex: sex, ageInYears: age, massInKilograms: mass, maximumOxygenUptake: uptake)
        #expect(isClose(estimate, kilojoules, within: 5.1e-5))
        #expect(isClose(estimate / EnergyExpenditure.kilojoulesPerKilocalorie, kilocalories, within: 5.1e-5))
    }

    @Test func `Keytel's equation never gives a negative value`() {
        #expect(EnergyExpenditure.keytel(heartRate: 40, sex: .male, ageInYears: 20, massInKilograms: 60) == 0)
    }

    private let man = EnergyExpenditure(
        sex: .male, ageInYears: 35, massInKilograms: 80, restingHeartRate: 60, maximumHeartRate: 190)

    @Test func `at rest the estimate is the resting rate, without active energy`() {
        #expect(isClose(man.restingKilojoulesPerMinute, 80 * 4.184 / 60, within: 1e-12))
        for heartRate in [0.0, 40, 60] {
            #expect(man.grossKilojoulesPerMinute(atHeartRate: heartRate) == man.restingKilojoulesPerMinute)
            #expect(man.activeKilojoulesPerMinute(atHeartRate: heartRate) == 0)
        }
    }

    @Test func `above 60 % of the maximum the estimate is Keytel's`() {
        #expect(isClose(man.grossKilojoulesPerMinute(atHeartRate: 150), 62.5016, within: 5e-5))
        let threshold = man.grossKilojoulesPerMinute(atHeartRate: 114)
        let middle = man.grossKilojoulesPerMinute(atHeartRate: 87)
        #expect(isClose(middle, (threshold + man.restingKilojoulesPerMinute) / 2, within: 1e-9))
    }

    @Test func `the estimate never falls as the heart rate rises`() {
        for (lower, higher) in zip(30..<220, 31...220) {
            #expect(
                man.grossKilojoulesPerMinute(atHeartRate: Double(lower))
                    <= man.grossKilojoulesPerMinute(atHeartRate: Double(higher)))
        }
    }

    @Test func `above the clamp the integral is that of the mean heart rate`() {
        let heartRates = stride(from: 120.0, through: 180, by: 5)
        let mean = heartRates.reduce(0, +) / Double(heartRates.reduce(0) { count, _ in count + 1 })
        let integral = heartRates.reduce(0) { $0 + man.grossKilojoulesPerMinute(atHeartRate: $1) }
        #expect(isClose(integral / 13, man.grossKilojoulesPerMinute(atHeartRate: mean), within: 1e-9))
    }

    @Test func `with a known height the resting rate is Mifflin and St Jeor's`() {
        var man = man
        man.heightInCentimeters = 180
        // 10 · 80 + 6.25 · 180 − 5 · 35 + 5 = 1755 kcal a day.
        #expect(isClose(man.restingKilojoulesPerMinute, 1755 * 4.184 / 1440, within: 1e-9))
    }
}
