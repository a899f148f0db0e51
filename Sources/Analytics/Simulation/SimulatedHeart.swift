/// An athlete's heart with a strap around it: effort in, packets out, a second at a time.
///
/// Kinetics and drift give the heart rate; a wander of one to two beats a minute, which every real trace has (Hunt et al.,
/// BioMed Eng OnLine 14:117, 2015, leave 2 to 2.5 unexplained), keeps it alive.
public struct SimulatedHeart: Sendable, Equatable {
    private var kinetics: HeartRateKinetics
    private var drift: CardiacDrift
    private var fastWander = Wander(standardDeviation: 1.0, memoryInSeconds: 15)
    private var slowWander = Wander(standardDeviation: 1.2, memoryInSeconds: 150)
    private var beats: BeatGenerator
    private var strap = StrapModel()
    // One stream each, so that a fault of the strap does not change the heart.
    private var heartRandom: SeededGenerator
    private var strapRandom: SeededGenerator

    /// Where kinetics and drift together come near the maximum, in shares of the reserve, the heart rate bends towards it.
    private static let bendsFrom = 0.92

    /// How long heart and strap run before the start, so that the first packet is a whole one.
    private static let warmUpInSeconds = 20

    /// - Parameter intensity: The share of the oxygen-uptake reserve in use before the start.
    public init(athlete: SimulatedAthlete, temperatureInCelsius: Double, intensity: Double, seed: UInt64) {
        kinetics = HeartRateKinetics(athlete: athlete, intensity: intensity)
        drift = CardiacDrift(temperatureInCelsius: temperatureInCelsius)
        heartRandom = SeededGenerator(seed: seed, stream: 1)
        strapRandom = SeededGenerator(seed: seed, stream: 2)
        beats = BeatGenerator(start: Double(-Self.warmUpInSeconds), &heartRandom)
        for _ in 0..<Self.warmUpInSeconds { _ = advanceOneSecond(intensity: intensity) }
    }

    /// Beats a minute, before smoothing by the strap.
    public var heartRate: Double {
        let athlete = kinetics.athlete
        let unbounded = kinetics.heartRate * (1 + drift.fraction) + fastWander.value + slowWander.value
        let fraction = (unbounded - athlete.restingHeartRate) / athlete.heartRateReserve
        guard fraction > Self.bendsFrom else { return max(unbounded, 30) }
        let excess = (fraction - Self.bendsFrom) / (1 - Self.bendsFrom)
        let bent = Self.bendsFrom + (1 - Self.bendsFrom) * excess / (1 + excess)
        return athlete.restingHeartRate + athlete.heartRateReserve * bent
    }

    public mutating func advanceOneSecond(
        intensity: Double, artefacts: StrapModel.Artefacts = .none
    ) -> StrapModel.Packet {
        kinetics.advance(by: 1, intensity: intensity)
        drift.advance(by: 1, intensity: intensity)
        fastWander.advance(by: 1, &heartRandom)
        slowWander.advance(by: 1, &heartRandom)
        let athlete = kinetics.athlete
        let reserveFraction = (heartRate - athlete.restingHeartRate) / athlete.heartRateReserve
        var times: [Double] = []
        beats.advance(
            by: 1, heartRate: heartRate, BeatGenerator.Modulation(reserveFraction: reserveFraction), appendingTo: &times
        )
        return strap.packet(of: times, artefacts: artefacts, &strapRandom)
    }
}
