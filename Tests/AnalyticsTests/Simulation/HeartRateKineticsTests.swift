import Analytics
import Testing

struct HeartRateKineticsTests {
    private let athlete = SimulatedAthlete(restingHeartRate: 60, maximumHeartRate: 190, fitness: .average)

    private func seconds(
        from start: Double, to end: Double, of athlete: SimulatedAthlete, untilShare share: Double
    ) -> Int {
        var kinetics = HeartRateKinetics(athlete: athlete, intensity: start)
        let first = kinetics.heartRate
        let last = HeartRateKinetics.steadyHeartRate(of: athlete, intensity: end)
        var seconds = 0
        while (kinetics.heartRate - first) / (last - first) < share {
            kinetics.advance(by: 1, intensity: end)
            seconds += 1
        }
        return seconds
    }

    @Test(arguments: [(0, 60), (0.02, 72.8), (0.5, 130.2), (0.8, 166.08)] as [(Double, Double)])
    func `the steady heart rate is the same share of its reserve as the effort, plus posture`(
        _ intensity: Double, _ heartRate: Double
    ) {
        let steady = HeartRateKinetics.steadyHeartRate(of: athlete, intensity: intensity)
        #expect(isClose(steady, heartRate, within: 0.01))
        #expect(isClose(HeartRateKinetics(athlete: athlete, intensity: intensity).heartRate, steady, within: 1e-9))
    }

    @Test(arguments: [0.9, 1, 1.3, 5])
    func `no effort exceeds the maximum`(_ intensity: Double) {
        var kinetics = HeartRateKinetics(athlete: athlete)
        for _ in 0..<3600 { kinetics.advance(by: 1, intensity: intensity) }
        #expect(kinetics.heartRate <= 190)
        #expect(kinetics.heartRate > 175)
    }

    @Test func `a heart takes more than 1.5 times as long to slow down as to speed up`() {
        // Thirty beats a minute either way.
        let up = seconds(from: 0.4, to: 0.4 + 30 / 119.6, of: athlete, untilShare: 0.63)
        let down = seconds(from: 0.4 + 30 / 119.6, to: 0.4, of: athlete, untilShare: 0.63)
        #expect(Double(down) > 1.5 * Double(up))
    }

    @Test(arguments: [0.5, 0.6, 0.7])
    func `a stop of thirty seconds lowers the heart rate by 5 to 25 beats a minute`(_ intensity: Double) {
        var kinetics = HeartRateKinetics(athlete: athlete, intensity: intensity)
        let before = kinetics.heartRate
        kinetics.advance(by: 30, intensity: 0.03)
        #expect((5.0...25).contains(before - kinetics.heartRate))
    }

    @Test func `a beginner responds more than twice as slowly as an elite athlete`() {
        var beginner = athlete
        beginner.fitness = .beginner
        var elite = athlete
        elite.fitness = .elite
        #expect(
            seconds(from: 0.3, to: 0.7, of: beginner, untilShare: 0.63)
                > 2 * seconds(from: 0.3, to: 0.7, of: elite, untilShare: 0.63))
    }

    @Test func `above the threshold the heart rate does not settle within minutes`() {
        var kinetics = HeartRateKinetics(athlete: athlete, intensity: 0.05)
        kinetics.advance(by: 300, intensity: 0.88)
        let early = kinetics.heartRate
        for _ in 0..<900 { kinetics.advance(by: 1, intensity: 0.88) }
        #expect((1.5...10).contains(kinetics.heartRate - early))
    }
}
