/// How the appetite changed.
public enum HKCategoryValueAppetiteChanges: Int, Sendable {
    /// It changed, and nobody says how.
    case unspecified = 0
    /// As it was before.
    case noChange = 1
    /// Less than before.
    case decreased = 2
    /// More than before.
    case increased = 3
}
