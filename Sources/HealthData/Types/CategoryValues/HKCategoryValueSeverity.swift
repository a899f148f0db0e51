/// How bad a symptom is. Mind that 0 is unspecified; `notPresent` is 1.
public enum HKCategoryValueSeverity: Int, Sendable {
    /// There is one, and nobody says how bad; raw value 0.
    case unspecified = 0
    /// There is none; raw value 1.
    case notPresent = 1
    /// Raw value 2.
    case mild = 2
    /// Raw value 3.
    case moderate = 3
    /// Raw value 4.
    case severe = 4
}
