/// Heart-rate zones: half-open intervals in beats per minute, numbered from 1. The last has no upper bound.
///
/// A heart rate below the first bound is in no zone.
public struct HeartRateZones: Sendable, Equatable {
    /// The lower bounds in beats per minute, increasing. Zone k begins at the k-th.
    public let lowerBounds: [Double]

    /// The five zones of Edwards, The Heart Rate Monitor Book, 1993: from 50, 60, 70, 80 and 90 %.
    public static let edwardsFractions = [0.5, 0.6, 0.7, 0.8, 0.9]

    /// Creates zones with custom bounds, for example from a lactate test.
    ///
    /// - Returns: Nil unless there is a bound and all are positive and strictly increasing.
    public init?(lowerBounds: [Double]) {
        guard let first = lowerBounds.first, first > 0, lowerBounds.allSatisfy(\.isFinite),
            zip(lowerBounds, lowerBounds.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.lowerBounds = lowerBounds
    }

    /// Creates zones from fractions of the maximum heart rate.
    ///
    /// - Returns: Nil if the bounds would not be positive and strictly increasing.
    public init?(maximumHeartRate: Double, fractions: [Double] = edwardsFractions) {
        self.init(lowerBounds: fractions.map { $0 * maximumHeartRate })
    }

    /// Creates zones from fractions of the heart-rate reserve: rest + p·(maximum − rest). Karvonen, Kentala & Mustala,
    /// Ann Med Exp Biol Fenn 35:307–315, 1957.
    ///
    /// - Returns: Nil if the bounds would not be positive and strictly increasing.
    public init?(maximumHeartRate: Double, restingHeartRate: Double, fractions: [Double] = edwardsFractions) {
        self.init(lowerBounds: fractions.map { restingHeartRate + $0 * (maximumHeartRate - restingHeartRate) })
    }

    public var count: Int { lowerBounds.count }

    /// Returns the zone of a heart rate, 1 … `count`, or nil below zone 1.
    public func zone(of heartRate: Double) -> Int? {
        let zone = lowerBounds.count { heartRate >= $0 }
        return zone == 0 ? nil : zone
    }

    /// Returns the bounds of zone `number`. The upper bound of the last one is infinite.
    public func bounds(ofZone number: Int) -> Range<Double> {
        precondition((1...count).contains(number), "There is no zone \(number) of \(count).")
        return lowerBounds[number - 1]..<(number == count ? .infinity : lowerBounds[number])
    }
}
