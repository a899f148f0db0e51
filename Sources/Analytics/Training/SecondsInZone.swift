/// Time in zones of power or speed: the seconds of a ``SecondlySeries`` that lie in each.
///
/// Zones are half-open and numbered from 1, the last open above. What is below the first edge is in no zone: whoever coasts or
/// stands, too, since no edge is 0. The series runs over active time, so that a pause counts nowhere, and neither does a gap.
public struct SecondsInZone: Sendable, Equatable {
    /// Lower edges in watts or metres a second, positive and rising; zone k begins at the k-th.
    public let lowerBounds: [Double]
    /// Zone 1 first.
    public private(set) var inZone: [Int]
    /// Below zone 1.
    public private(set) var below = 0

    /// - Returns: Nil unless there is an edge and all are positive and strictly rising.
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

    /// From 1 on; 0 below the first edge.
    public static func zone(of value: Double, in lowerBounds: [Double]) -> Int { lowerBounds.count { value >= $0 } }

    /// With a value.
    public var seconds: Int { inZone.reduce(below, +) }

    /// Each zone with its edges, the upper one of the last infinite.
    public var zones: [(number: Int, bounds: Range<Double>, seconds: Int)] {
        lowerBounds.indices.map { index in
            let upper = index + 1 < lowerBounds.count ? lowerBounds[index + 1] : .infinity
            return (index + 1, lowerBounds[index]..<upper, inZone[index])
        }
    }
}
