/// Whether a symptom is there. Mind that 0 means that it is.
public enum HKCategoryValuePresence: Int, Sendable {
    case present = 0
    case notPresent = 1
}
