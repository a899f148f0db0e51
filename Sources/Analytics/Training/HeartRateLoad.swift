import Foundation

/// The training load of a workout after Banister, Edwards and Lucia, side by side. They weigh differently, and people
/// compare with the one that they know.
///
/// It uses a series of one heart rate per second over active time. If a value that a formula needs is unknown, that is
/// the reason why it gives no figure.
public struct HeartRateLoad: Sendable, Equatable {
    /// Nil for a sex for which a formula has no coefficients. No other coefficients are used instead.
    public let sex: Sex?
    public let restingHeartRate: Double?
    public let maximumHeartRate: Double?
    /// The number of seconds with a heart rate.
    public private(set) var seconds = 0
    private var impulse: BanisterTrainingImpulse?
    private var edwardsTime: TimeInZone?
    private var luciaTime: TimeInZone?

    /// - Parameter ventilatoryThresholds: The heart rates of the first and the second threshold, as two zones.
    public init(
        sex: Sex?, restingHeartRate: Double?, maximumHeartRate: Double?, ventilatoryThresholds: HeartRateZones? = nil
    ) {
        self.sex = sex
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
        if let sex, let restingHeartRate, let maximumHeartRate {
            impulse = BanisterTrainingImpulse(
                sex: sex, restingHeartRate: restingHeartRate, maximumHeartRate: maximumHeartRate)
        }
        edwardsTime = maximumHeartRate.flatMap { HeartRateZones(maximumHeartRate: $0) }.map { TimeInZone(zones: $0) }
        luciaTime = ventilatoryThresholds.flatMap { $0.count == 2 ? TimeInZone(zones: $0) : nil }
    }

    public mutating func add(_ step: SecondlySeries.Step) {
        guard case .value(let heartRate, _) = step else { return }
        impulse?.add(minutes: 1.0 / 60, atHeartRate: heartRate)
        // Seconds with a value are counted without gaps, because the time in between is no load.
        let (start, end) = (Duration.seconds(seconds), Duration.seconds(seconds + 1))
        edwardsTime?.measured(heartRate, at: start)
        edwardsTime?.advance(to: end)
        luciaTime?.measured(heartRate, at: start)
        luciaTime?.advance(to: end)
        seconds += 1
    }

    /// The training impulse, in arbitrary units.
    public var banister: Figure<Double> {
        figure(impulse?.total) {
            if maximumHeartRate == nil { return .notKnown(.maximumHeartRate) }
            return restingHeartRate == nil ? .notKnown(.restingHeartRate) : .notKnown(.sex)
        }
    }

    /// The minutes in each of five zones by percentage of the maximum, times the zone's number.
    public var edwards: Figure<Double> {
        figure(edwardsTime?.edwardsTrainingLoad) { .notKnown(.maximumHeartRate) }
    }

    /// The minutes below the first ventilatory threshold, plus two times those up to the second, plus three times those
    /// above.
    public var lucia: Figure<Double> {
        figure(luciaTime?.luciaTrainingLoad) { .notKnown(.ventilatoryThresholds) }
    }

    /// The fraction of the heart-rate reserve at which a constant effort of the same duration has the same training
    /// impulse.
    public var intensity: Figure<Double> {
        guard seconds > 0, let impulse else { return banister }
        let weight = impulse.total / (Double(seconds) / 60)
        // The weight increases with the fraction, so bisection finds it.
        var (lower, upper) = (0.0, 1.0)
        for _ in 0..<40 {
            let middle = (lower + upper) / 2
            let isAbove = BanisterTrainingImpulse.weight(ofReserveFraction: middle, sex: impulse.sex) > weight
            if isAbove { upper = middle } else { lower = middle }
        }
        // Sums of thousands of seconds are not more precise than this.
        return .success((upper * 1e9).rounded() / 1e9)
    }

    /// The effort from 1 to 10; see ``EstimatedEffort``.
    public var effort: Figure<Double> { intensity.map { EstimatedEffort.score(ofReserveFraction: $0) } }

    private func figure(_ value: Double?, _ reason: () -> MissingFigure) -> Figure<Double> {
        guard seconds > 0 else { return .failure(.notMeasured(.heartRate)) }
        return value.map(Figure.success) ?? .failure(reason())
    }
}

/// The effort of a workout from 1 to 10, estimated from the heart rate.
///
/// HealthKit defines the scale (1 to 3 easy, 4 to 6 moderate, 7 and 8 hard, 9 and 10 all out) but no formula. Here its
/// classes begin like those of the American College of Sports Medicine (Garber et al., Med Sci Sports Exerc
/// 43:1334–1359, 2011): moderate at 40 % of the heart-rate reserve, hard (vigorous) at 60 %, all out (near maximal) at
/// 90 %, each divided into even steps. It measures how intense the workout was, not how long.
public enum EstimatedEffort {
    /// The fractions of the reserve from which on a workout has the scores 2 to 10.
    public static let lowerBounds = [0.2, 0.3, 0.4, 0.4 + 0.2 / 3, 0.4 + 0.4 / 3, 0.6, 0.75, 0.9, 0.95]

    /// - Parameter reserveFraction: See ``HeartRateLoad/intensity``.
    public static func score(ofReserveFraction reserveFraction: Double) -> Double {
        Double(1 + lowerBounds.count { reserveFraction >= $0 })
    }
}

/// Training impulse (TRIMP) after Banister: minutes, weighted by an exponential of the heart-rate reserve in use.
///
/// Source: Morton, Fitz-Clarke & Banister, J Appl Physiol 69:1171–1177, 1990, with 0.64 and 1.92 for men, 0.86 and 1.67
/// for women. The fraction of the reserve is clamped to 0 … 1. The weight is convex, so add short intervals: the figure
/// for the mean heart rate would be lower.
public struct BanisterTrainingImpulse: Sendable, Equatable {
    public let sex: Sex
    public let restingHeartRate: Double
    public let maximumHeartRate: Double
    /// The impulse in arbitrary units.
    public private(set) var total = 0.0

    /// - Returns: Nil unless `maximumHeartRate` is above `restingHeartRate`.
    public init?(sex: Sex, restingHeartRate: Double, maximumHeartRate: Double) {
        guard maximumHeartRate > restingHeartRate else { return nil }
        self.sex = sex
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
    }

    /// Adds active time at one heart rate.
    public mutating func add(minutes: Double, atHeartRate heartRate: Double) {
        let fraction = (heartRate - restingHeartRate) / (maximumHeartRate - restingHeartRate)
        total += minutes * Self.weight(ofReserveFraction: fraction, sex: sex)
    }

    /// Returns the impulse of one minute at a fraction of the heart-rate reserve.
    public static func weight(ofReserveFraction fraction: Double, sex: Sex) -> Double {
        let x = min(max(fraction, 0), 1)
        return switch sex {
        case .male: x * 0.64 * exp(1.92 * x)
        case .female: x * 0.86 * exp(1.67 * x)
        }
    }
}

extension TimeInZone {
    /// Training load after Edwards, The Heart Rate Monitor Book, 1993: the minutes in each zone times its number. It is
    /// intended for five zones by percentage of the maximum heart rate.
    public var edwardsTrainingLoad: Double {
        inZone.enumerated().reduce(0) { $0 + Double($1.offset + 1) * ($1.element / .seconds(60)) }
    }

    /// Training load after Lucia, Hoyos, Santalla, Earnest & Chicharro, Med Sci Sports Exerc 35:872–878, 2003: the
    /// minutes below the first ventilatory threshold, plus two times those up to the second, plus three times those
    /// above. Nil unless the zones are the two that begin at these thresholds.
    public var luciaTrainingLoad: Double? {
        guard zones.count == 2 else { return nil }
        let weighted: Duration = belowZones + inZone[0] * 2 + inZone[1] * 3
        return weighted / .seconds(60)
    }
}
