/// The result of a pregnancy test at home.
public enum HKCategoryValuePregnancyTestResult: Int, Sendable {
    /// Raw value 1.
    case negative = 1
    /// Raw value 2.
    case positive = 2
    /// The test did not work.
    case indeterminate = 3
}
