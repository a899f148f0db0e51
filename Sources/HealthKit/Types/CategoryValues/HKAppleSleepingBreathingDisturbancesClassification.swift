/// What the disturbances of breathing in a night say of sleep apnoea.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
    case notElevated = 0
    case elevated = 1

    @available(*, unavailable, message: "Apple does not publish the limit of elevated breathing disturbances")
    public init?(classifying quantity: HKQuantity) { nil }

    @available(*, unavailable, message: "Apple does not publish the limit of elevated breathing disturbances")
    public var minimum: HKQuantity { HKQuantity(unit: .count(), doubleValue: 0) }
}
