import Analytics
import Testing

@Suite struct Alpha1ThresholdsTests {
    private func thresholds(_ points: [(Double, Double)]) -> Alpha1Thresholds {
        var thresholds = Alpha1Thresholds()
        for (heartRate, alpha1) in points {
            thresholds.add(Alpha1Reading(alpha1: alpha1, artefactShare: 0, heartRate: heartRate))
        }
        return thresholds
    }

    /// Steps of two beats a minute and -0.02, starting at 120 and 1.
    private static func line(_ steps: Int) -> [(Double, Double)] {
        (0...steps).map { (step: Int) -> (Double, Double) in
            let x = Double(step)
            return (120.0 + 2.0 * x, 1.0 - 0.02 * x)
        }
    }

    @Test func `a line from 1 at 120 to 0.4 at 180 has its thresholds at 145 and 170`() throws {
        let found = thresholds(Self.line(30))
        #expect(isClose(try found.heartRate(atAlpha1: Alpha1Thresholds.first).get(), 145, within: 1e-9))
        #expect(isClose(try found.heartRate(atAlpha1: Alpha1Thresholds.second).get(), 170, within: 1e-9))
    }

    @Test func `a threshold that the effort did not reach is not guessed`() throws {
        let found = thresholds(Self.line(15))
        #expect(throws: Never.self) { try found.heartRate(atAlpha1: 0.75).get() }
        #expect(found.heartRate(atAlpha1: 0.5) == .failure(.notReached(alpha1: 0.5)))
    }

    @Test func `an even effort, or an alpha1 that rises with the heart rate, gives no threshold`() {
        let even = thresholds((0...30).map { (140.0, [0.7, 0.71, 0.72][$0 % 3]) })
        #expect(even.heartRate(atAlpha1: 0.75) == .failure(.noRelation))
        let rising = thresholds(Self.line(30).map { (300 - $0.0, $0.1) })
        #expect(rising.heartRate(atAlpha1: 0.75) == .failure(.noRelation))
        #expect(thresholds([(120, 1)]).heartRate(atAlpha1: 0.75) == .failure(.tooFew(1, needed: 10)))
    }
}
