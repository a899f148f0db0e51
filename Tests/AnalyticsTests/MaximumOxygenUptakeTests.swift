import Analytics
import Testing

struct MaximumOxygenUptakeTests {
    @Test(
        arguments: [(190, 50, .male, 58.14), (190, 50, .female, 55.1), (50, 50, .male, nil), (190, 0, .male, nil)]
            as [(Double, Double, Sex, Double?)])
    func `the ratio of the heart rates gives the oxygen uptake`(
        _ maximum: Double, _ resting: Double, _ sex: Sex, _ uptake: Double?
    ) {
        let estimate = MaximumOxygenUptake.estimate(maximumHeartRate: maximum, restingHeartRate: resting, sex: sex)
        #expect((estimate.map { ($0 * 100).rounded() / 100 }) == uptake)
    }
}
