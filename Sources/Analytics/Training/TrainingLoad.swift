import Foundation

/// Training impulse (TRIMP) after Banister: minutes, weighted by an exponential of the heart-rate reserve in use.
///
/// Source: Morton, Fitz-Clarke & Banister, J Appl Physiol 69:1171–1177, 1990, with 0.64 and 1.92 for men, 0.86 and 1.67 for
/// women. The fraction of the reserve is clamped to 0 … 1. The weight is convex: add stretch by stretch, the figure for
/// the mean heart rate is lower.
public struct BanisterTrainingImpulse: Sendable, Equatable {
    public let sex: Sex
    public let restingHeartRate: Double
    public let maximumHeartRate: Double
    /// In arbitrary units.
    public private(set) var total = 0.0

    /// - Returns: Nil unless `maximumHeartRate` is above `restingHeartRate`.
    public init?(sex: Sex, restingHeartRate: Double, maximumHeartRate: Double) {
        guard maximumHeartRate > restingHeartRate else { return nil }
        self.sex = sex
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
    }

    /// Adds a stretch of active time at one heart rate.
    public mutating func add(minutes: Double, atHeartRate heartRate: Double) {
        let fraction = (heartRate - restingHeartRate) / (maximumHeartRate - restingHeartRate)
        total += minutes * Self.weight(ofReserveFraction: fraction, sex: sex)
    }

    /// Impulse of one minute at a fraction of the heart-rate reserve.
    public static func weight(ofReserveFraction fraction: Double, sex: Sex) -> Double {
        let x = min(max(fraction, 0), 1)
        return switch sex {
        case .male: x * 0.64 * exp(1.92 * x)
        case .female: x * 0.86 * exp(1.67 * x)
        }
    }
}

extension TimeInZone {
    /// Training load after Edwards, The Heart Rate Monitor Book, 1993: the minutes in each zone times its number. Meant for
    /// five zones by percentage of the maximum heart rate.
    public var edwardsTrainingLoad: Double {
        inZone.enumerated().reduce(0) { $0 + Double($1.offset + 1) * ($1.element / .seconds(60)) }
    }

    /// Training load after Lucia, Hoyos, Santalla, Earnest & Chicharro, Med Sci Sports Exerc 35:872–878, 2003: the minutes below
    /// the first ventilatory threshold, two times those up to the second, three times those above. Nil unless the zones
    /// are the two that begin at these thresholds.
    public var luciaTrainingLoad: Double? {
        guard zones.count == 2 else { return nil }
        let weighted: Duration = belowZones + inZone[0] * 2 + inZone[1] * 3
        return weighted / .seconds(60)
    }
}
