import Foundation

/// The power of the heart-rate variability in the Task Force's short-term bands, in ms².
///
/// Bands: Task Force of the ESC and NASPE, Circulation 93:1043–1065, 1996, table 2. Spectra of the same beats depend on
/// the method, which here is: a natural cubic spline through the intervals at their beat times, sampled at 4 Hz from
/// the first beat to the last; Welch's method (IEEE Trans Audio Electroacoust 15:70–73, 1967) with 256 points, periodic
/// Hann window, half overlap, mean of each segment removed, one-sided density; a band's power is the sum of its bins
/// times their width, with the lower edge and without the upper one.
public struct HeartRateVariabilitySpectrum: Sendable, Equatable {
    public static let veryLowFrequencies = 0.0033..<0.04
    public static let lowFrequencies = 0.04..<0.15
    public static let highFrequencies = 0.15..<0.4

    public let veryLowFrequencyPower: Double
    public let lowFrequencyPower: Double
    public let highFrequencyPower: Double
    /// The density in ms²/Hz, bin by bin from 0 Hz up to the end of the high band; see ``binWidthInHertz``.
    public let density: [Double]

    private static let samplesPerSecond = 4.0
    private static let segmentLength = 256
    public static let binWidthInHertz = samplesPerSecond / Double(segmentLength)

    /// - Parameter nnIntervals: Intervals in milliseconds without gaps.
    /// - Returns: Nil for less than one segment (64 s) of beats, or if an interval is not a positive number.
    public init?(nnIntervals: [Double]) {
        guard nnIntervals.count >= 3, nnIntervals.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        let samples = Self.resampled(nnIntervals)
        guard samples.count >= Self.segmentLength else { return nil }

        let binWidth = Self.binWidthInHertz
        let lastBin = Int((Self.highFrequencies.upperBound / binWidth).rounded(.up))
        let density = Self.density(of: samples, bins: 0...lastBin)
        self.density = density
        func power(_ band: Range<Double>) -> Double {
            density.enumerated().reduce(0) { sum, bin in
                band.contains(Double(bin.offset) * binWidth) ? sum + bin.element * binWidth : sum
            }
        }
        veryLowFrequencyPower = power(Self.veryLowFrequencies)
        lowFrequencyPower = power(Self.lowFrequencies)
        highFrequencyPower = power(Self.highFrequencies)
    }

    /// LF/HF. Nil if the high band has no power.
    public var lowToHighRatio: Double? {
        highFrequencyPower > 0 ? lowFrequencyPower / highFrequencyPower : nil
    }

    /// Returns the intervals over time at 4 Hz: the value of the natural cubic spline at each sampling time.
    private static func resampled(_ intervals: [Double]) -> [Double] {
        var times: [Double] = []
        var time = 0.0
        for interval in intervals {
            time += interval / 1000
            times.append(time)
        }
        let curvatures = naturalSplineCurvatures(times, intervals)
        let count = Int(((times[times.count - 1] - times[0]) * samplesPerSecond).rounded(.down)) + 1
        var piece = 0
        return (0..<count).map { sample in
            let time = times[0] + Double(sample) / samplesPerSecond
            while piece < times.count - 2, time > times[piece + 1] { piece += 1 }
            let width = times[piece + 1] - times[piece]
            let a = (times[piece + 1] - time) / width
            let b = 1 - a
            return a * intervals[piece] + b * intervals[piece + 1]
                + ((a * a * a - a) * curvatures[piece] + (b * b * b - b) * curvatures[piece + 1]) * width * width / 6
        }
    }

    /// Returns the second derivatives at the knots, zero at both ends: a tridiagonal system, solved by elimination
    /// (Thomas).
    private static func naturalSplineCurvatures(_ x: [Double], _ y: [Double]) -> [Double] {
        var curvatures = [Double](repeating: 0, count: x.count)
        var ratios = curvatures
        for i in 1..<(x.count - 1) {
            let left = x[i] - x[i - 1]
            let right = x[i + 1] - x[i]
            let pivot = 2 * (left + right) - left * ratios[i - 1]
            ratios[i] = right / pivot
            let bend = 6 * ((y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left)
            curvatures[i] = (bend - left * curvatures[i - 1]) / pivot
        }
        for i in stride(from: x.count - 2, to: 0, by: -1) { curvatures[i] -= ratios[i] * curvatures[i + 1] }
        return curvatures
    }

    private static func density(of samples: [Double], bins: ClosedRange<Int>) -> [Double] {
        let length = segmentLength
        let turns = (0..<length).map { 2 * Double.pi * Double($0) / Double(length) }
        let cosines = turns.map { cos($0) }
        let sines = turns.map { sin($0) }
        let window = cosines.map { (1 - $0) / 2 }
        let windowPower = window.reduce(0) { $0 + $1 * $1 }

        var density = [Double](repeating: 0, count: bins.count)
        let starts = Array(stride(from: 0, through: samples.count - length, by: length / 2))
        for start in starts {
            let segment = samples[start..<(start + length)]
            let mean = segment.reduce(0, +) / Double(length)
            let windowed = zip(segment, window).map { ($0 - mean) * $1 }
            for bin in bins {
                var real = 0.0
                var imaginary = 0.0
                for i in 0..<length {
                    real += windowed[i] * cosines[bin * i % length]
                    imaginary -= windowed[i] * sines[bin * i % length]
                }
                let sides = bin == 0 || bin == length / 2 ? 1.0 : 2.0
                density[bin] += sides * (real * real + imaginary * imaginary) / (samplesPerSecond * windowPower)
            }
        }
        return density.map { $0 / Double(starts.count) }
    }
}
