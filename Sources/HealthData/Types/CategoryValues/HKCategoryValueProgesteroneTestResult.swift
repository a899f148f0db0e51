/// The result of a progesterone test at home.
public enum HKCategoryValueProgesteroneTestResult: Int, Sendable {
    /// Raw value 1: no ovulation is confirmed.
    case negative = 1
    /// Raw value 2: ovulation is confirmed.
    case positive = 2
    /// The test did not work.
    case indeterminate = 3
}
