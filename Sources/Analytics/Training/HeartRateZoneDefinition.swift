/// Zones as a person defines them: in beats per minute, or in percent of the maximum or of the reserve.
///
/// They are written as lower bounds and their unit: `120,140,155,170,185`, `50,60,70,80,90%max`,
/// `50,60,70,80,90%reserve`.
public struct HeartRateZoneDefinition: Sendable, Equatable, CustomStringConvertible {
    public enum Scale: String, Sendable, CaseIterable {
        case beatsPerMinute = "bpm"
        case percentOfMaximum = "%max"
        /// Rest + p·(maximum − rest), after Karvonen.
        case percentOfReserve = "%reserve"
    }

    public let scale: Scale
    /// The bounds in the scale, strictly increasing.
    public let lowerBounds: [Double]

    public static let counts = 2...9

    /// - Returns: Nil unless there are two to nine increasing bounds, of 20 to 300 beats per minute or of 1 to 110
    ///   percent.
    public init?(_ scale: Scale, lowerBounds: [Double]) {
        let possible = scale == .beatsPerMinute ? 20.0...300 : 1...110
        guard Self.counts.contains(lowerBounds.count), lowerBounds.allSatisfy(possible.contains),
            zip(lowerBounds, lowerBounds.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.scale = scale
        self.lowerBounds = lowerBounds
    }

    /// - Returns: Nil if the text does not define zones.
    public init?(_ text: String) {
        let text = text.lowercased().filter { $0 != " " }
        let scale = Scale.allCases.first { text.hasSuffix($0.rawValue) }
        let edges = text.dropLast(scale?.rawValue.count ?? 0).split(separator: ",", omittingEmptySubsequences: false)
        let numbers = edges.compactMap { Double($0) }
        guard numbers.count == edges.count else { return nil }
        self.init(scale ?? .beatsPerMinute, lowerBounds: numbers)
    }

    public var description: String {
        let edges = lowerBounds.map { $0 == $0.rounded() ? String(Int($0)) : String($0) }.joined(separator: ",")
        return edges + (scale == .beatsPerMinute ? "" : scale.rawValue)
    }

    /// Returns the zones for these heart rates. Nil if one that the scale needs is unknown.
    public func zones(maximumHeartRate: Double?, restingHeartRate: Double?) -> HeartRateZones? {
        let fractions = lowerBounds.map { $0 / 100 }
        switch scale {
        case .beatsPerMinute: return HeartRateZones(lowerBounds: lowerBounds)
        case .percentOfMaximum:
            return maximumHeartRate.flatMap { HeartRateZones(maximumHeartRate: $0, fractions: fractions) }
        case .percentOfReserve:
            guard let maximumHeartRate, let restingHeartRate, restingHeartRate < maximumHeartRate else { return nil }
            return HeartRateZones(
                maximumHeartRate: maximumHeartRate, restingHeartRate: restingHeartRate, fractions: fractions)
        }
    }
}
