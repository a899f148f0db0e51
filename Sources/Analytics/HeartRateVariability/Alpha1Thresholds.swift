/// The heart rates at which alpha1 fell to 0.75 and to 0.5: an estimate of the two ventilatory thresholds.
///
/// Sources: Rogers, Giles, Draper, Hoos & Gronwald, Front Physiol 11:596567, 2021 (0.75); Rogers, Giles, Draper, Mourot &
/// Gronwald, J Funct Morphol Kinesiol 6:38, 2021 (0.5). As there, a straight line is put through alpha1 over the heart
/// rate where alpha1 falls, which is between 1.1 and 0.4 here. An effort that rises step by step tells most; a steady one
/// tells nothing, and then there is no figure. People differ from the estimate by ten beats a minute and more.
public struct Alpha1Thresholds: Sendable, Equatable {
    public static let first = 0.75
    public static let second = 0.5
    /// Outside of these, alpha1 does not fall with the heart rate in a line.
    public static let fallingRange = 0.4...1.1
    public static let leastReadings = 10
    /// A line that explains less than a quarter of the spread tells nothing.
    public static let weakestCorrelation = -0.5

    private var line = RunningRegression()
    private var lowestAlpha1 = Double.infinity

    public init() {}

    public mutating func add(_ reading: Alpha1Reading) {
        guard Self.fallingRange.contains(reading.alpha1) else { return }
        line.add(x: reading.heartRate, y: reading.alpha1)
        lowestAlpha1 = min(lowestAlpha1, reading.alpha1)
    }

    /// In beats a minute. Only within the heart rates and down to the alpha1 that were seen.
    public func heartRate(atAlpha1 alpha1: Double) -> Figure<Double> {
        guard line.count >= Self.leastReadings else {
            return .failure(.tooFew(line.count, needed: Self.leastReadings))
        }
        guard lowestAlpha1 <= alpha1 else { return .failure(.notReached(alpha1: alpha1)) }
        guard let correlation = line.correlation, correlation <= Self.weakestCorrelation,
            let heartRate = line.x(atY: alpha1)
        else { return .failure(.noRelation) }
        guard line.rangeOfX?.contains(heartRate) == true else { return .failure(.notReached(alpha1: alpha1)) }
        return .success(heartRate)
    }
}
