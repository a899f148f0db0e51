/// The value of categories that have none: that there is a sample says it all.
public enum HKCategoryValue: Int, Sendable {
    case notApplicable = 0
}
