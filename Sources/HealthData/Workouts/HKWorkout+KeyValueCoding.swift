import Synchronization

// Key-value coding, as far as apps use it on workouts: some set the totals that their machine counted on a finished
// workout. Foundation on Linux has none.

extension HKWorkout {
    /// Sets another total on this object and its later copies and archives. The stored workout and the statistics do
    /// not change.
    ///
    /// - Parameters:
    ///   - value: An `HKQuantity` of the total's dimension, or nil.
    ///   - key: `totalEnergyBurned`, `totalDistance`, `totalSwimmingStrokeCount`, `totalFlightsClimbed`, or
    ///     `totalSteps`, which only ``value(forKey:)`` returns.
    ///
    /// Stops the program for any other key or value, as Apple's raises for an undefined key.
    public func setValue(_ value: Any?, forKey key: String) {
        let quantity = value as? HKQuantity
        precondition(value == nil || quantity != nil, "\(key) of a workout is an HKQuantity, not a \(type(of: value))")
        guard let total = Total(rawValue: key) else {
            preconditionFailure("A workout has no key \(key) that can be set: \(Total.names) can.")
        }
        precondition(
            quantity?.is(compatibleWith: total.unit) ?? true,
            "\(key) of a workout cannot be in \(quantity?.unit.unitString ?? ""): give a quantity in \(total.unit.unitString)"
        )
        statements.withLock { $0[keyPath: total.place] = quantity }
    }

    /// Returns a value that ``setValue(_:forKey:)`` can set. Stops the program for any other key, as Apple's raises for
    /// an undefined one.
    public func value(forKey key: String) -> Any? {
        guard let total = Total(rawValue: key) else {
            preconditionFailure("A workout has no value for the key \(key): \(Total.names) have.")
        }
        return statements.withLock { $0[keyPath: total.place] }
    }

    private enum Total: String, CaseIterable {
        case totalEnergyBurned, totalDistance, totalSwimmingStrokeCount, totalFlightsClimbed, totalSteps

        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

        var unit: HKUnit {
            switch self {
            case .totalEnergyBurned: .kilocalorie()
            case .totalDistance: .meter()
            case .totalSwimmingStrokeCount, .totalFlightsClimbed, .totalSteps: .count()
            }
        }

        var place: WritableKeyPath<Statements, HKQuantity?> {
            switch self {
            case .totalEnergyBurned: \.totals.energyBurned
            case .totalDistance: \.totals.distance
            case .totalSwimmingStrokeCount: \.totals.swimmingStrokeCount
            case .totalFlightsClimbed: \.totals.flightsClimbed
            case .totalSteps: \.steps
            }
        }
    }
}
