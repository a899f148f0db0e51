/// An athlete's heart with a strap: it converts effort to packets, one second at a time.
///
/// Kinetics and drift give the heart rate. A variation of one to two beats per minute is added, which every real trace
/// has (Hunt et al., BioMed Eng OnLine 14:117, 2015, leave 2 to 2.5 unexplained).
public struct SimulatedHeart: Sendable, Equatable {
    private var kinetics: HeartRateKinetics
    private var drift: CardiacDrift
    private var fastWander = AutoregressiveNoise(standardDeviation: 1.0, memoryInSeconds: 15)
    private var slowWander = AutoregressiveNoise(standardDeviation: 1.2, memoryInSeconds: 150)
    private var beats: BeatGenerator
    private var strap = StrapModel()
    // Separate streams, so that a fault of the strap does not change the heart.
    private var heartRandom: SeededGenerator
    private var strapRandom: SeededGenerator

    /// From this share of the reserve on, the heart rate from kinetics and drift bends towards the maximum.
    private static let bendsFrom = 0.92

    /// The time that heart and strap run before the start, so that the first packet is complete.
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

    /// Beats per minute, before the strap smooths them.
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

/// The slow rise of the heart rate in long exercise, as the body warms up and loses water. It is faster in warm air.
///
/// It begins after twelve minutes of exercise and ends at 15 %. The rates per hour by temperature are those in the
/// documentation of the route simulator runsketch. The recovery during a rest, half of it in a quarter of an hour, is
/// our own estimate.
public struct CardiacDrift: Sendable, Equatable {
    public let temperatureInCelsius: Double
    /// The rise, as a fraction of the heart rate.
    public private(set) var fraction = 0.0
    private var secondsOfExercise = 0.0

    public static let onsetInSeconds = 720.0
    public static let greatestFraction = 0.15
    /// Below this share of the oxygen-uptake reserve it counts as rest.
    private static let leastIntensity = 0.2
    private static let recoveryTimeConstant = 1300.0
    private static let percentPerHour: [(celsius: Double, percent: Double)] = [
        (10, 1.9), (15, 3), (21, 5.1), (25, 7.4), (30, 11.6), (35, 18.1),
    ]

    public init(temperatureInCelsius: Double) {
        self.temperatureInCelsius = temperatureInCelsius
    }

    public mutating func advance(by seconds: Double, intensity: Double) {
        guard intensity >= Self.leastIntensity else {
            fraction *= FirstOrderResponse.decay(seconds / Self.recoveryTimeConstant)
            return
        }
        let drifting = min(seconds, max(0, secondsOfExercise + seconds - Self.onsetInSeconds))
        secondsOfExercise += seconds
        fraction = min(fraction + drifting / 3600 * ratePerHour, Self.greatestFraction)
    }

    /// The rate, interpolated between the temperatures of the table and constant outside.
    private var ratePerHour: Double {
        let table = Self.percentPerHour
        guard let upper = table.firstIndex(where: { $0.celsius >= temperatureInCelsius }) else {
            return table[table.count - 1].percent / 100
        }
        guard upper > 0 else { return table[0].percent / 100 }
        let (low, high) = (table[upper - 1], table[upper])
        let share = (temperatureInCelsius - low.celsius) / (high.celsius - low.celsius)
        return (low.percent + share * (high.percent - low.percent)) / 100
    }
}

/// The response of the heart rate to effort.
///
/// Effort is the share of the oxygen-uptake reserve in use, which equals the share of the heart-rate reserve (Swain &
/// Leutholtz, Med Sci Sports Exerc 29:410–414, 1997). The heart responds in two parts: a fast withdrawal of the vagal
/// tone, up to a quarter of the reserve, and a slower sympathetic drive for the rest. Both rise faster than they fall.
/// Above the lactate threshold a slow component is added. The two compartments and their time constants are those in
/// the documentation of the route simulator runsketch, consistent with Hunt et al., BioMed Eng OnLine 14:117, 2015, and
/// Wang & Hunt, BioMed Eng OnLine 20, 2021.
public struct HeartRateKinetics: Sendable, Equatable {
    public let athlete: SimulatedAthlete
    private var vagal: FirstOrderResponse
    private var sympathetic: FirstOrderResponse
    private var slow: FirstOrderResponse

    /// The cost of being upright, as a share of the heart-rate reserve.
    private static let posture = 0.08
    /// From this effort on, the athlete is upright.
    private static let uprightFrom = 0.02
    /// The share of the heart-rate reserve that the vagal part covers.
    private static let vagalShare = 0.25
    /// From here on, the target bends towards the maximum, which it never reaches.
    private static let bendsFrom = 0.94
    /// The share of the oxygen-uptake reserve at the lactate threshold.
    private static let lactateThreshold = 0.78
    private static let slowComponentInBeatsPerMinute = 10.0

    /// Creates a heart in the steady state of `intensity`.
    public init(athlete: SimulatedAthlete, intensity: Double = 0) {
        self.athlete = athlete
        let factor = athlete.fitness.timeConstantFactor
        let target = Self.target(athlete, intensity)
        vagal = FirstOrderResponse(value: target.vagal, timeConstantUp: 10, timeConstantDown: 30)
        sympathetic = FirstOrderResponse(
            value: target.sympathetic, timeConstantUp: 50 * factor, timeConstantDown: 160 * factor)
        slow = FirstOrderResponse(value: 0, timeConstantUp: 420, timeConstantDown: 450)
    }

    /// Beats per minute.
    public var heartRate: Double {
        min(athlete.restingHeartRate + vagal.value + sympathetic.value + slow.value, athlete.maximumHeartRate)
    }

    /// Advances the time at an effort.
    ///
    /// - Parameter intensity: The share of the oxygen-uptake reserve in use: 0 lying still, 0.02 standing, 1 at the
    ///   maximum, more in sprints.
    public mutating func advance(by seconds: Double, intensity: Double) {
        let target = Self.target(athlete, intensity)
        vagal.advance(toward: target.vagal, by: seconds)
        sympathetic.advance(toward: target.sympathetic, by: seconds)
        let excess = (intensity - Self.lactateThreshold) / (1 - Self.lactateThreshold)
        slow.advance(toward: Self.slowComponentInBeatsPerMinute * min(max(excess, 0), 1), by: seconds)
    }

    /// Returns the heart rate, in beats per minute, that an effort leads to, without the slow component.
    public static func steadyHeartRate(of athlete: SimulatedAthlete, intensity: Double) -> Double {
        let target = target(athlete, intensity)
        return athlete.restingHeartRate + target.vagal + target.sympathetic
    }

    private static func target(
        _ athlete: SimulatedAthlete, _ intensity: Double
    ) -> (vagal: Double, sympathetic: Double) {
        let effort = max(0, intensity)
        var share = posture * min(effort / uprightFrom, 1) + (1 - posture) * effort
        if share > bendsFrom {
            let excess = (share - bendsFrom) / (1 - bendsFrom)
            share = bendsFrom + (1 - bendsFrom) * excess / (1 + excess)
        }
        let vagal = min(share, vagalShare)
        return (athlete.heartRateReserve * vagal, athlete.heartRateReserve * (share - vagal))
    }
}
