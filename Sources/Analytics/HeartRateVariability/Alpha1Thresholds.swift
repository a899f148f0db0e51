/// The heart rates at which alpha1 fell to 0.75 and to 0.5: an estimate of the two ventilatory thresholds.
///
/// Sources: Rogers, Giles, Draper, Hoos & Gronwald, Front Physiol 11:596567, 2021 (0.75); Rogers, Giles, Draper, Mourot
/// & Gronwald, J Funct Morphol Kinesiol 6:38, 2021 (0.5). As in these papers, a straight line is fitted to alpha1 over
/// the heart rate where alpha1 falls, here between 1.1 and 0.4. An effort that increases in steps works best; a steady
/// one gives no figure. A person's real thresholds can differ by ten beats per minute and more.
public struct Alpha1Thresholds: Sendable, Equatable {
    public static let first = 0.75
    public static let second = 0.5
    /// Outside this range, alpha1 does not fall in a line with the heart rate.
    public static let fallingRange = 0.4...1.1
    public static let leastReadings = 10
    /// A line that explains less than a quarter of the variance is not used.
    public static let weakestCorrelation = -0.5

    private var line = RunningRegression()
    private var lowestAlpha1 = Double.infinity

    public init() {}

    public mutating func add(_ reading: Alpha1Reading) {
        guard Self.fallingRange.contains(reading.alpha1) else { return }
        line.add(x: reading.heartRate, y: reading.alpha1)
        lowestAlpha1 = min(lowestAlpha1, reading.alpha1)
    }

    /// Returns the heart rate in beats per minute, only within the measured heart rates and alpha1 values.
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
