/// The athlete whose heart is simulated.
public struct SimulatedAthlete: Sendable, Equatable {
    /// Beats per minute while lying still.
    public var restingHeartRate: Double
    /// Beats per minute.
    public var maximumHeartRate: Double
    public var fitness: Fitness

    public enum Fitness: String, Sendable, CaseIterable, Codable {
        case beginner, average, trained, elite

        /// The factor for the time constants of the sympathetic response, 1 for an average person. Larger is slower.
        var timeConstantFactor: Double {
            switch self {
            case .beginner: 1.4
            case .average: 1.0
            case .trained: 0.75
            case .elite: 0.6
            }
        }
    }

    public init(restingHeartRate: Double = 56, maximumHeartRate: Double = 188, fitness: Fitness = .trained) {
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
        self.fitness = fitness
    }

    var heartRateReserve: Double { maximumHeartRate - restingHeartRate }
}
