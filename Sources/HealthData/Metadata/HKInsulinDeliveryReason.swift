/// What a dose of insulin was for. The value of `HKMetadataKeyInsulinDeliveryReason`.
public enum HKInsulinDeliveryReason: Int, Sendable {
    /// The even supply between meals.
    case basal = 1
    /// For a meal, or to bring down what is too high.
    case bolus = 2
}
