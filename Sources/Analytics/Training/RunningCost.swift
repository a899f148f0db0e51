/// What running costs on a slope, in joules for each kilogram and metre.
///
/// The polynomial of Minetti et al., "Energy cost of walking and running at extreme uphill and downhill slopes", J Appl Physiol
/// 93:1039-1046, 2002, measured on grades from -0.45 to 0.45; beyond them the cost of the nearest one counts.
public enum RunningCost {
    public static let measuredGrades = -0.45...0.45

    /// - Parameter grade: Rise over distance: 0.1 is 10 %.
    public static func joulesPerKilogramAndMeter(atGrade grade: Double) -> Double {
        let i = min(max(grade, measuredGrades.lowerBound), measuredGrades.upperBound)
        return ((((155.4 * i - 30.4) * i - 43.3) * i + 46.3) * i + 19.5) * i + 3.6
    }

    /// How many metres on the level cost as much as one metre on this grade.
    public static func levelMeters(atGrade grade: Double) -> Double {
        joulesPerKilogramAndMeter(atGrade: grade) / joulesPerKilogramAndMeter(atGrade: 0)
    }
}
