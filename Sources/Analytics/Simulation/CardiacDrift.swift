/// The slow rise of the heart rate in long exercise, as the body warms and dries: the warmer the air, the faster.
///
/// It begins after twelve minutes of exercise and ends at 15 %; rates per hour by temperature as the route simulator
/// runsketch documents them. What a rest gives back, half of it in a quarter of an hour, is our own judgement.
public struct CardiacDrift: Sendable, Equatable {
    public let temperatureInCelsius: Double
    /// The rise, as a fraction of the heart rate.
    public private(set) var fraction = 0.0
    private var secondsOfExercise = 0.0

    public static let onsetInSeconds = 720.0
    public static let greatestFraction = 0.15
    /// Below this share of the oxygen-uptake reserve it is rest.
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

    /// Linear between the temperatures of the table, constant outside.
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
