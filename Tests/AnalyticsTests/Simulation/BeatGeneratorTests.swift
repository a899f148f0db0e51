import Analytics
import Testing

struct BeatGeneratorTests {
    private func beats(seconds: Int, _ modulation: BeatGenerator.Modulation, heartRate: (Int) -> Double) -> [Double] {
        var random = SeededGenerator(seed: 3)
        var generator = BeatGenerator(&random)
        var beats: [Double] = []
        for second in 0..<seconds {
            generator.advance(by: 1, heartRate: heartRate(second), modulation, appendingTo: &beats)
        }
        return beats
    }

    private func statistics(_ beats: [Double]) -> BeatStatistics {
        BeatStatistics(zip(beats, beats.dropFirst()).map { ($1 - $0) * 1000 })
    }

    @Test(arguments: [45.0, 60, 73.5, 150, 210])
    func `without modulation every interval is that of the heart rate`(_ heartRate: Double) {
        let beats = beats(seconds: 300, .none) { _ in heartRate }
        #expect(zip(beats, beats.dropFirst()).allSatisfy { isClose($1 - $0, 60 / heartRate, within: 1e-9) })
    }

    @Test func `the number of beats is the integral of the heart rate`() {
        let heartRate = { (second: Int) in 60.3 + 0.1 * Double(second) }
        let integral = (0..<1000).reduce(0) { $0 + heartRate($1) / 60 }
        #expect(beats(seconds: 1000, .none, heartRate: heartRate).count == Int(integral))
    }

    @Test func `modulation does not change the mean heart rate`() throws {
        let beats = beats(seconds: 3600, BeatGenerator.Modulation(reserveFraction: 0)) { _ in 60 }
        #expect(isClose(60_000 / (try #require(statistics(beats).mean)), 60, within: 0.05))
    }

    @Test func `a calm heart varies as hearts at rest do, a racing one hardly`() throws {
        let rest = statistics(beats(seconds: 600, BeatGenerator.Modulation(reserveFraction: 0)) { _ in 58 })
        let hard = statistics(beats(seconds: 600, BeatGenerator.Modulation(reserveFraction: 0.85)) { _ in 168 })
        #expect((25.0...80).contains(try #require(rest.rmssd)))
        #expect((25.0...80).contains(try #require(rest.sdnn)))
        #expect((0.5...6).contains(try #require(hard.rmssd)))
    }

    @Test func `breathing at rest shows in the high band`() throws {
        let times = beats(seconds: 600, BeatGenerator.Modulation(reserveFraction: 0)) { _ in 60 }
        let intervals = zip(times, times.dropFirst()).map { ($1 - $0) * 1000 }
        let spectrum = try #require(HeartRateVariabilitySpectrum(nnIntervals: intervals))
        #expect(spectrum.highFrequencyPower > 300)
        #expect(spectrum.lowFrequencyPower > 150)
        #expect(spectrum.veryLowFrequencyPower < 50)
    }

    @Test func `a stopped heart makes no beats`() {
        #expect(beats(seconds: 60, .none) { _ in 0 }.isEmpty)
    }
}
