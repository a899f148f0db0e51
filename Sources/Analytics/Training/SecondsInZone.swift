/// The time in zones of power or speed: the seconds of a ``SecondlySeries`` in each.
///
/// Zones are half-open and numbered from 1; the last has no upper bound. A value below the first bound is in no zone.
/// That includes coasting and standing, because no bound is 0. The series covers active time, so pauses and gaps do not
/// count.
public struct SecondsInZone: Sendable, Equatable {
    /// The lower bounds in watts or metres per second, positive and increasing. Zone k begins at the k-th.
    public let lowerBounds: [Double]
    /// The seconds in each zone, from zone 1 on.
    public private(set) var inZone: [Int]
    /// The seconds below zone 1.
    public private(set) var below = 0

    /// - Returns: Nil unless there is a bound and all are positive and strictly increasing.
    public init?(lowerBounds: [Double]) {
        guard let first = lowerBounds.first, first > 0, lowerBounds.allSatisfy(\.isFinite),
            zip(lowerBounds, lowerBounds.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.lowerBounds = lowerBounds
        inZone = Array(repeating: 0, count: lowerBounds.count)
    }

    public mutating func add(_ step: SecondlySeries.Step) {
        guard case .value(let value, _) = step else { return }
        let zone = Self.zone(of: value, in: lowerBounds)
        if zone == 0 { below += 1 } else { inZone[zone - 1] += 1 }
    }

    /// Returns the zone from 1 on, or 0 below the first bound.
    public static func zone(of value: Double, in lowerBounds: [Double]) -> Int { lowerBounds.count { value >= $0 } }

    /// The number of seconds with a value.
    public var seconds: Int { inZone.reduce(below, +) }

    /// Each zone with its bounds. The upper bound of the last one is infinite.
    public var zones: [(number: Int, bounds: Range<Double>, seconds: Int)] {
        lowerBounds.indices.map { index in
            let upper = index + 1 < lowerBounds.count ? lowerBounds[index + 1] : .infinity
            return (index + 1, lowerBounds[index]..<upper, inZone[index])
        }
    }
}
