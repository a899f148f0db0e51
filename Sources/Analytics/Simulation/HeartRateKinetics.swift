/// How the heart rate follows effort.
///
/// Effort is the share of the oxygen-uptake reserve in use, which equals the share of the heart-rate reserve (Swain &
/// Leutholtz, Med Sci Sports Exerc 29:410–414, 1997). The heart follows in two parts: withdrawal of the vagal tone, fast,
/// up to a quarter of the reserve; and the sympathetic drive, slower, for the rest. Either comes faster than it goes. Above
/// the lactate threshold a slow component is added. The two compartments and their time constants are those that the route
/// simulator runsketch documents, in line with Hunt et al., BioMed Eng OnLine 14:117, 2015, and Wang & Hunt, BioMed Eng
/// OnLine 20, 2021.
public struct HeartRateKinetics: Sendable, Equatable {
    public let athlete: SimulatedAthlete
    private var vagal: FirstOrderResponse
    private var sympathetic: FirstOrderResponse
    private var slow: FirstOrderResponse

    /// What being upright costs, as a share of the heart-rate reserve.
    private static let posture = 0.08
    /// Whoever does as much as this is upright.
    private static let uprightFrom = 0.02
    /// How much of the heart-rate reserve the vagal part covers.
    private static let vagalShare = 0.25
    /// From here on the target bends towards the maximum, which it never reaches.
    private static let bendsFrom = 0.94
    /// Share of the oxygen-uptake reserve at the lactate threshold.
    private static let lactateThreshold = 0.78
    private static let slowComponentInBeatsPerMinute = 10.0

    /// A heart in the steady state of `intensity`.
    public init(athlete: SimulatedAthlete, intensity: Double = 0) {
        self.athlete = athlete
        let factor = athlete.fitness.timeConstantFactor
        let target = Self.target(athlete, intensity)
        vagal = FirstOrderResponse(value: target.vagal, timeConstantUp: 10, timeConstantDown: 30)
        sympathetic = FirstOrderResponse(
            value: target.sympathetic, timeConstantUp: 50 * factor, timeConstantDown: 160 * factor)
        slow = FirstOrderResponse(value: 0, timeConstantUp: 420, timeConstantDown: 450)
    }

    /// Beats a minute.
    public var heartRate: Double {
        min(athlete.restingHeartRate + vagal.value + sympathetic.value + slow.value, athlete.maximumHeartRate)
    }

    /// Lets time pass at an effort.
    ///
    /// - Parameter intensity: Share of the oxygen-uptake reserve in use; 0 lying still, 0.02 standing, 1 at the
    ///   maximum, above in sprints.
    public mutating func advance(by seconds: Double, intensity: Double) {
        let target = Self.target(athlete, intensity)
        vagal.advance(toward: target.vagal, by: seconds)
        sympathetic.advance(toward: target.sympathetic, by: seconds)
        let excess = (intensity - Self.lactateThreshold) / (1 - Self.lactateThreshold)
        slow.advance(toward: Self.slowComponentInBeatsPerMinute * min(max(excess, 0), 1), by: seconds)
    }

    /// The heart rate, in beats a minute, that an effort leads to, without the slow component.
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
