/// How hard a workout was, from 1 to 10, estimated from the heart rate.
///
/// HealthKit has the scale (1 to 3 easy, 4 to 6 moderate, 7 and 8 hard, 9 and 10 all out) and no formula. Here its classes begin
/// where those of the American College of Sports Medicine do (Garber et al., Med Sci Sports Exerc 43:1334–1359, 2011): moderate
/// at 40 % of the heart-rate reserve, hard (vigorous) at 60 %, all out (near maximal) at 90 %, each in even steps. It says how
/// intense the workout was, not how long.
public enum EstimatedEffort {
    /// From which fraction of the reserve on a workout has at least the scores 2 to 10.
    public static let lowerBounds = [0.2, 0.3, 0.4, 0.4 + 0.2 / 3, 0.4 + 0.4 / 3, 0.6, 0.75, 0.9, 0.95]

    /// - Parameter reserveFraction: See ``HeartRateLoad/intensity``.
    public static func score(ofReserveFraction reserveFraction: Double) -> Double {
        Double(1 + lowerBounds.count { reserveFraction >= $0 })
    }
}
