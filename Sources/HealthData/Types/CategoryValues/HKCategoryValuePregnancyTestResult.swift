/// The result of a pregnancy test at home.
public enum HKCategoryValuePregnancyTestResult: Int, Sendable {
    case negative = 1
    case positive = 2
    case indeterminate = 3
}
