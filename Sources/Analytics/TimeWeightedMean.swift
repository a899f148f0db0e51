/// Means of unevenly spaced values, weighted by time. A plain mean would overweight times with many values.
public enum TimeWeightedMean {
    /// Returns the mean if each value holds until the next one or `end`, but for no longer than `holdLimit`. The rest
    /// is a gap.
    ///
    /// - Parameter samples: Values in order of time, in seconds.
    /// - Returns: Nil if no time is covered.
    public static func stepHold(
        _ samples: [(seconds: Double, value: Double)], end: Double, holdLimit: Double = .infinity
    ) -> Double? {
        var integral = 0.0
        var covered = 0.0
        for (index, sample) in samples.enumerated() {
            let next = index + 1 < samples.count ? samples[index + 1].seconds : end
            let duration = min(max(0, next - sample.seconds), holdLimit)
            integral += sample.value * duration
            covered += duration
        }
        return covered > 0 ? integral / covered : nil
    }

    /// Returns the mean of straight lines between the values. Gaps longer than `gapLimit` are left out.
    ///
    /// - Parameter samples: Values in order of time, in seconds.
    /// - Returns: Nil if no time is covered.
    public static func trapezoid(
        _ samples: [(seconds: Double, value: Double)], gapLimit: Double = .infinity
    ) -> Double? {
        var integral = 0.0
        var covered = 0.0
        for (a, b) in zip(samples, samples.dropFirst()) where b.seconds > a.seconds && b.seconds - a.seconds <= gapLimit
        {
            integral += (a.value + b.value) / 2 * (b.seconds - a.seconds)
            covered += b.seconds - a.seconds
        }
        return covered > 0 ? integral / covered : nil
    }
}
