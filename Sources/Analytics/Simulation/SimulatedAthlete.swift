/// Whose heart is simulated.
public struct SimulatedAthlete: Sendable, Equatable {
    /// Beats a minute, lying still.
    public var restingHeartRate: Double
    /// Beats a minute.
    public var maximumHeartRate: Double
    public var fitness: Fitness

    public enum Fitness: String, Sendable, CaseIterable, Codable {
        case beginner, average, trained, elite

        /// How much slower or faster the sympathetic part of the heart's response is than an average person's.
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
