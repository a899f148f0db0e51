package import Analytics

/// The zones into which a workout divides the values of a quantity.
public struct ZoneRecord: Sendable, Equatable {
    /// The Swift name of the quantity type: `heartRate` or `cyclingPower`.
    public var type: String
    /// The upper bounds of all zones but the last, rising, in count/min or W. A value at a bound is in the zone above.
    /// Empty if the workout has no zones of its own.
    public var upperBounds: [Double]
    /// Who defined the zones.
    public var source: Source

    /// The origins of zones.
    public enum Source: String, Sendable, Equatable, CaseIterable {
        /// Computed from the wearer's age and heart rates.
        case system
        /// The wearer's own.
        case user
        /// An app's, for this workout.
        case app
    }

    /// Creates a record without checks.
    public init(_ type: String, upperBounds: [Double], source: Source) {
        self.type = type
        self.upperBounds = upperBounds
        self.source = source
    }

    /// Creates a record of a wearer's heart-rate zones. The first of them has a lower bound; the first zone of a workout
    /// has none.
    package init(_ zones: HeartRateZones, of wearer: WearerProfile) {
        self.init(
            ReadingKind.heartRateType, upperBounds: Array(zones.lowerBounds.dropFirst()),
            source: wearer.heartRateZoneLowerBounds == nil ? .system : .user)
    }

    /// Whether a workout can have such zones: of a known type, with bounds that rise.
    package var isValid: Bool {
        Self.units[type] != nil && upperBounds.allSatisfy { $0 > 0 && $0.isFinite }
            && zip(upperBounds, upperBounds.dropFirst()).allSatisfy(<)
    }

    /// The units of the types that have zones.
    package static let units = [ReadingKind.heartRateType: "count/min", powerType: "W"]
    package static let powerType = "cyclingPower"

    /// Returns the index of the zone with a value, from 0 on.
    package func zone(of value: Double) -> Int { upperBounds.count { value >= $0 } }
}
