/// What the disturbances of breathing in a night say of sleep apnoea.
///
/// Apple does not publish where elevated ones begin, and this module makes no such limit up.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
    /// As usual.
    case notElevated = 0
    /// More than usual over nights: a sign of sleep apnoea.
    case elevated = 1

    /// Nil, which Apple's documentation allows for a value that cannot be classified: the limit is not known.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) { nil }

    /// A count: 0 for those that are not elevated. Infinite for elevated ones, so that no value reaches a limit that is not
    /// known.
    public var minimum: HKQuantity {
        switch self {
        case .notElevated: HKQuantity(unit: .count(), doubleValue: 0)
        case .elevated: HKQuantity(unit: .count(), doubleValue: .infinity)
        }
    }
}
