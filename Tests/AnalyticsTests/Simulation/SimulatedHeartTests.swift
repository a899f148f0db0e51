import Analytics
import Testing

struct SimulatedHeartTests {
    private func packets(_ seconds: Int, intensity: Double, seed: UInt64) -> [StrapModel.Packet] {
        var heart = SimulatedHeart(
            athlete: SimulatedAthlete(), temperatureInCelsius: 18, intensity: intensity, seed: seed)
        return (0..<seconds).map { _ in heart.advanceOneSecond(intensity: intensity) }
    }

    @Test func `the same seed gives the same packets, and another seed gives others`() {
        #expect(packets(600, intensity: 0.6, seed: 5) == packets(600, intensity: 0.6, seed: 5))
        #expect(packets(600, intensity: 0.6, seed: 5) != packets(600, intensity: 0.6, seed: 6))
    }

    @Test func `the first packet is complete`() {
        #expect(packets(1, intensity: 0.5, seed: 1)[0].heartRate != nil)
    }

    @Test(arguments: [0, 0.3, 0.6, 0.9])
    func `the displayed heart rate agrees with the intervals`(_ intensity: Double) throws {
        let packets = packets(600, intensity: intensity, seed: 2)
        let shown = packets.compactMap(\.heartRate)
        let mean = Double(shown.reduce(0, +)) / Double(shown.count)
        let intervals = packets.flatMap(\.rrIntervals).map { Double($0) * 1000 / 1024 }
        #expect(isClose(60_000 / (try #require(BeatStatistics(intervals).mean)), mean, within: 0.8))
    }

    @Test func `a fault of the strap does not change the heart`() {
        var clean = SimulatedHeart(athlete: SimulatedAthlete(), temperatureInCelsius: 18, intensity: 0.5, seed: 1)
        var faulty = clean
        for _ in 0..<300 {
            _ = clean.advanceOneSecond(intensity: 0.5)
            _ = faulty.advanceOneSecond(intensity: 0.5, artefacts: StrapModel.Artefacts(missed: 0.1))
            #expect(clean.heartRate == faulty.heartRate)
        }
    }
}
