/// Whether a symptom is there. Mind that 0 means that it is.
public enum HKCategoryValuePresence: Int, Sendable {
    /// There is one; raw value 0.
    case present = 0
    /// There is none; raw value 1.
    case notPresent = 1
}
