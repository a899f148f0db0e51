import Analytics
import Testing

struct TrainingLoadTests {
    @Test(arguments: [
        (0.30, 0.341550, 0.425796), (0.50, 0.835743, 0.991070), (0.80, 2.378736, 2.617013), (1.00, 4.365413, 4.568464),
        (1.20, 4.365413, 4.568464), (-0.10, 0, 0),
    ])
    func `Banister's weight of a minute is as published`(_ fraction: Double, _ men: Double, _ women: Double) {
        #expect(isClose(BanisterTrainingImpulse.weight(ofReserveFraction: fraction, sex: .male), men, within: 5e-7))
        #expect(isClose(BanisterTrainingImpulse.weight(ofReserveFraction: fraction, sex: .female), women, within: 5e-7))
    }

    @Test(arguments: [(.male, 75.330), (.female, 85.138)] as [(Sex, Double)])
    func `45 minutes at 150 give the published impulse`(_ sex: Sex, _ total: Double) throws {
        var impulse = try #require(BanisterTrainingImpulse(sex: sex, restingHeartRate: 60, maximumHeartRate: 190))
        for _ in 0..<45 { impulse.add(minutes: 1, atHeartRate: 150) }
        #expect(isClose(impulse.total, total, within: 5e-4))
    }

    @Test func `hard and easy minutes together are more than their mean`() throws {
        let none = try #require(BanisterTrainingImpulse(sex: .male, restingHeartRate: 60, maximumHeartRate: 190))
        var mixed = none
        mixed.add(minutes: 10, atHeartRate: 110)
        mixed.add(minutes: 10, atHeartRate: 170)
        var steady = none
        steady.add(minutes: 20, atHeartRate: 140)
        #expect(mixed.total > steady.total)
    }

    @Test func `without a reserve there is no impulse`() {
        #expect(BanisterTrainingImpulse(sex: .male, restingHeartRate: 190, maximumHeartRate: 190) == nil)
    }

    @Test func `ten minutes in each zone give 150 of Edwards' points`() throws {
        var time = TimeInZone(zones: try #require(HeartRateZones(maximumHeartRate: 200)), holdLimit: .seconds(600))
        for (index, heartRate) in [110.0, 130, 150, 170, 190].enumerated() {
            time.measured(heartRate, at: .seconds(600 * index))
        }
        time.advance(to: .seconds(3000))
        #expect(time.edwardsTrainingLoad == 150)
    }
}
