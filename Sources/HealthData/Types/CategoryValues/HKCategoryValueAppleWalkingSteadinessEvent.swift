/// A drop of the walking steadiness, for the first time or again.
public enum HKCategoryValueAppleWalkingSteadinessEvent: Int, Sendable {
    /// Fell to low for the first time.
    case initialLow = 1
    /// Fell to very low for the first time.
    case initialVeryLow = 2
    /// Is still low, or low again.
    case repeatLow = 3
    /// Is still very low, or very low again.
    case repeatVeryLow = 4
}
