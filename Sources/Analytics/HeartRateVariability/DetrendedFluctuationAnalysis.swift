import Foundation

/// Short-term scaling of the beats (DFA alpha1). It is about 1 at rest and falls with effort, through 0.75 near the
/// first ventilatory threshold and 0.5 near the second.
///
/// Sources: Peng, Havlin, Stanley & Goldberger, Chaos 5:82–87, 1995 (method); Rogers, Giles, Draper, Hoos & Gronwald,
/// Front Physiol 11:596567, 2021 (0.75); Rogers, Giles, Draper, Mourot & Gronwald, J Funct Morphol Kinesiol 6:38, 2021
/// (0.5). In exercise, use windows of two minutes. Do not show the figure if more than 5 % of the beats are artefacts,
/// because they push it upwards (Rogers et al., Sensors 21:821, 2021). Windows here do not overlap, and the series is
/// not detrended beforehand; implementations that do either give other figures.
public enum DetrendedFluctuationAnalysis {
    /// The window lengths in beats for the fit of alpha1.
    public static let shortTermWindows = 4...16
    /// The length of two of the longest windows.
    public static let minimumIntervals = 32

    /// Returns the slope of ln F(n) over ln n for n = 4 … 16.
    ///
    /// - Returns: Nil for fewer than `minimumIntervals`, or if the intervals do not vary.
    public static func alpha1(intervalsInMilliseconds intervals: [Double]) -> Double? {
        guard intervals.count >= minimumIntervals else { return nil }
        let profile = profile(of: intervals)
        var points: [(x: Double, y: Double)] = []
        for window in shortTermWindows {
            let fluctuation = fluctuation(of: profile, window: window)
            guard fluctuation > 0, fluctuation.isFinite else { return nil }
            points.append((log(Double(window)), log(fluctuation)))
        }
        return slope(points)
    }

    /// Returns F(n) in milliseconds: the root mean square of the residuals of straight lines, one for each window of
    /// `n` beats.
    ///
    /// - Returns: Nil if there is no complete window, or if a window is shorter than three beats.
    public static func fluctuation(intervalsInMilliseconds intervals: [Double], window: Int) -> Double? {
        guard window >= 3, intervals.count >= window else { return nil }
        return fluctuation(of: profile(of: intervals), window: window)
    }

    /// Returns the running sum of the deviations from the mean.
    private static func profile(of intervals: [Double]) -> [Double] {
        let mean = intervals.reduce(0, +) / Double(intervals.count)
        var sum = 0.0
        return intervals.map {
            sum += $0 - mean
            return sum
        }
    }

    /// The residual of the least-squares line over equally spaced points has a closed form: Σ(y − ȳ)² − (Σ(i − m)·y)² /
    /// V, with m the middle index and V = n(n² − 1)/12. Both sums are computed in one pass, from y minus its first
    /// value in the window. Numbers this small lose no precision when the mean is subtracted afterwards.
    private static func fluctuation(of profile: [Double], window: Int) -> Double {
        let n = Double(window)
        let middle = (n - 1) / 2
        let spread = n * (n * n - 1) / 12
        let windows = profile.count / window
        var residual = 0.0
        for start in stride(from: 0, to: windows * window, by: window) {
            let first = profile[start]
            var place = -middle
            var sum = 0.0
            var squares = 0.0
            var covariance = 0.0
            for value in profile[start..<(start + window)] {
                let height = value - first
                sum += height
                squares += height * height
                covariance += height * place
                place += 1
            }
            residual += max(0, squares - sum * sum / n - covariance * covariance / spread)
        }
        return (residual / Double(windows * window)).squareRoot()
    }

    private static func slope(_ points: [(x: Double, y: Double)]) -> Double {
        let n = Double(points.count)
        let meanX = points.reduce(0) { $0 + $1.x } / n
        let meanY = points.reduce(0) { $0 + $1.y } / n
        let covariance = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
        return covariance / points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    }
}
