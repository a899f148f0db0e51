/// How bad a symptom is. Mind that 0 is unspecified; `notPresent` is 1.
public enum HKCategoryValueSeverity: Int, Sendable {
    case unspecified = 0
    case notPresent = 1
    case mild = 2
    case moderate = 3
    case severe = 4
}
