import Analytics
import Testing

@Suite struct HeartRateLoadTests {
    private func load(_ load: HeartRateLoad, _ heartRates: [(Double, minutes: Int)]) -> HeartRateLoad {
        var load = load
        var second = 0
        for (heartRate, minutes) in heartRates {
            for _ in 0..<(60 * minutes) {
                load.add(.value(heartRate, second: second))
                second += 1
            }
            load.add(.gap)
            second += 1000
        }
        return load
    }

    @Test func `the three loads of a workout follow their definitions`() throws {
        let thresholds = try #require(HeartRateZones(lowerBounds: [145, 170]))
        let found = load(
            HeartRateLoad(
                sex: .male, restingHeartRate: 60, maximumHeartRate: 200, ventilatoryThresholds: thresholds),
            [(110, 10), (130, 10), (150, 10), (170, 10), (190, 10)])
        #expect(try found.edwards.get() == 150)
        #expect(try found.lucia.get() == 100)
        var banister = 0.0
        for heartRate in [110.0, 130, 150, 170, 190] {
            banister += 10 * BanisterTrainingImpulse.weight(ofReserveFraction: (heartRate - 60) / 140, sex: .male)
        }
        #expect(isClose(try found.banister.get(), banister, within: 1e-9))
    }

    @Test func `missing data about the wearer is the reason for a missing load`() {
        let none = load(HeartRateLoad(sex: nil, restingHeartRate: nil, maximumHeartRate: nil), [(120, 1)])
        #expect(none.banister == .failure(.notKnown(.maximumHeartRate)))
        #expect(none.edwards == .failure(.notKnown(.maximumHeartRate)))
        #expect(none.lucia == .failure(.notKnown(.ventilatoryThresholds)))
        let rest = load(HeartRateLoad(sex: .female, restingHeartRate: nil, maximumHeartRate: 190), [(120, 1)])
        #expect(rest.banister == .failure(.notKnown(.restingHeartRate)))
        let sex = load(HeartRateLoad(sex: nil, restingHeartRate: 60, maximumHeartRate: 190), [(120, 1)])
        #expect(sex.banister == .failure(.notKnown(.sex)))
        let still = HeartRateLoad(sex: .male, restingHeartRate: 60, maximumHeartRate: 190)
        #expect(still.banister == .failure(.notMeasured(.heartRate)))
    }
}
