import Foundation

/// Power weighted by its physiological cost: the fourth root of the mean fourth power of the 30-second means.
///
/// Source: Coggan, in Allen & Coggan, Training and Racing with a Power Meter, 2006, with the figures derived from it:
/// the intensity factor (divided by the threshold power), the variability index (divided by the mean power) and the
/// training stress (100 for an hour at the threshold). It uses a series of one value per second, in watts. After a gap
/// the 30 seconds start again.
public struct NormalizedPower: Sendable, Equatable {
    public static let windowInSeconds = 30
    /// With less than 20 minutes the figure mostly describes the start.
    public static let leastSeconds = 1200

    /// The number of seconds with a value.
    public private(set) var seconds = 0
    private var total = 0.0
    private var window = [Double](repeating: 0, count: windowInSeconds)
    private var windowSum = 0.0
    private var windowCount = 0
    private var fourthPowers = 0.0
    private var means = 0

    public init() {}

    public mutating func add(_ step: SecondlySeries.Step) {
        switch step {
        case .gap:
            windowCount = 0
            windowSum = 0
        case .value(let watts, _): add(watts)
        }
    }

    private mutating func add(_ watts: Double) {
        seconds += 1
        total += watts
        let place = windowCount % Self.windowInSeconds
        if windowCount >= Self.windowInSeconds { windowSum -= window[place] }
        window[place] = watts
        windowSum += watts
        windowCount += 1
        guard windowCount >= Self.windowInSeconds else { return }
        let mean = windowSum / Double(Self.windowInSeconds)
        fourthPowers += mean * mean * mean * mean
        means += 1
    }

    /// The normalised power in watts.
    public var watts: Figure<Double> {
        guard seconds > 0 else { return .failure(.notMeasured(.power)) }
        guard seconds >= Self.leastSeconds, means > 0 else {
            return .failure(.tooShort(neededSeconds: Double(Self.leastSeconds)))
        }
        return .success(pow(fourthPowers / Double(means), 0.25))
    }

    /// Normalised power divided by mean power; 1 for an even effort.
    public var variabilityIndex: Figure<Double> {
        watts.flatMap { total > 0 ? .success($0 * Double(seconds) / total) : .failure(.noVariation) }
    }

    /// - Parameter thresholdPowerInWatts: The power that the athlete can hold for about an hour. Nil if it is unknown.
    public func intensityFactor(thresholdPowerInWatts: Double?) -> Figure<Double> {
        watts.flatMap { watts in
            guard let threshold = thresholdPowerInWatts, threshold > 0 else {
                return .failure(.notKnown(.thresholdPower))
            }
            return .success(watts / threshold)
        }
    }

    /// The training stress, 100 for an hour at the threshold.
    public func trainingStress(thresholdPowerInWatts: Double?) -> Figure<Double> {
        intensityFactor(thresholdPowerInWatts: thresholdPowerInWatts)
            .map { Double(seconds) / 3600 * $0 * $0 * 100 }
    }
}
