/// The means of contraception.
public enum HKCategoryValueContraceptive: Int, Sendable {
    /// One is used, and nobody says which.
    case unspecified = 1
    /// Under the skin of the arm.
    case implant = 2
    /// A hormone, by needle.
    case injection = 3
    /// In the womb, with or without a hormone.
    case intrauterineDevice = 4
    /// A ring that gives off a hormone.
    case intravaginalRing = 5
    /// A pill.
    case oral = 6
    /// On the skin, with a hormone.
    case patch = 7
}
