/// How the appetite changed.
public enum HKCategoryValueAppetiteChanges: Int, Sendable {
    case unspecified = 0
    case noChange = 1
    case decreased = 2
    case increased = 3
}
