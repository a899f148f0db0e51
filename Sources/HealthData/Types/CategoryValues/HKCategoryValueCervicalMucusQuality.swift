/// The look of cervical mucus, a sign of fertility.
public enum HKCategoryValueCervicalMucusQuality: Int, Sendable {
    /// Little or none.
    case dry = 1
    /// Thick.
    case sticky = 2
    /// Like lotion.
    case creamy = 3
    /// Clear and thin.
    case watery = 4
    /// Clear and stretchy: the most fertile days.
    case eggWhite = 5
}
