import Analytics
import Testing

struct CardiacDriftTests {
    @Test func `ninety minutes at 25 degrees drift by 4 to 20 beats a minute`() {
        var drift = CardiacDrift(temperatureInCelsius: 25)
        for _ in 0..<5400 { drift.advance(by: 1, intensity: 0.6) }
        #expect((4.0...20).contains(drift.fraction * 150))
        #expect(isClose(drift.fraction, 0.074 * (5400 - 720) / 3600, within: 1e-9))
    }

    @Test(arguments: [(-5, 0.019), (10, 0.019), (18, 0.0405), (25, 0.074), (35, 0.15), (50, 0.15)])
    func `drift grows with temperature up to a limit`(_ celsius: Double, _ fraction: Double) {
        var drift = CardiacDrift(temperatureInCelsius: celsius)
        drift.advance(by: 720 + 3600, intensity: 0.6)
        #expect(isClose(drift.fraction, fraction, within: 1e-9))
    }

    @Test func `nothing drifts in the first twelve minutes, and a rest reduces the drift`() {
        var drift = CardiacDrift(temperatureInCelsius: 25)
        drift.advance(by: 720, intensity: 0.6)
        #expect(drift.fraction == 0)
        drift.advance(by: 3600, intensity: 0.6)
        drift.advance(by: 900, intensity: 0)
        #expect(isClose(drift.fraction, 0.037, within: 0.001))
    }
}
