/// The value of categories that have none: that there is a sample says it all.
public enum HKCategoryValue: Int, Sendable {
    /// The only value.
    case notApplicable = 0
}
