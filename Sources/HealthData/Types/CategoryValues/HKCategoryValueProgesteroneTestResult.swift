/// The result of a progesterone test at home.
public enum HKCategoryValueProgesteroneTestResult: Int, Sendable {
    case negative = 1
    case positive = 2
    case indeterminate = 3
}
