/// The means of contraception.
public enum HKCategoryValueContraceptive: Int, Sendable {
    case unspecified = 1
    case implant = 2
    case injection = 3
    case intrauterineDevice = 4
    case intravaginalRing = 5
    case oral = 6
    case patch = 7
}
