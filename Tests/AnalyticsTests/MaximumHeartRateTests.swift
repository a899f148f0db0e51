import Analytics
import Testing

struct MaximumHeartRateTests {
    @Test(arguments: [
        (20, 194.0, 200, 188.4, 198.2), (30, 187.0, 190, 179.6, 191.8), (40, 180.0, 180, 170.8, 185.4),
        (50, 173.0, 170, 162.0, 179.0), (60, 166.0, 160, 153.2, 172.6),
    ])
    func `each formula gives its published value`(
        _ age: Double, _ tanaka: Double, _ fox: Double, _ gulati: Double, _ nes: Double
    ) {
        for (formula, value) in zip(MaximumHeartRate.allCases, [tanaka, fox, gulati, nes]) {
            #expect(isClose(formula.estimate(ageInYears: age), value, within: 1e-9), "\(formula)")
        }
    }
}
