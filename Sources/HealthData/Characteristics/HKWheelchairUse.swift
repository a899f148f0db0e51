/// Whether the user is in a wheelchair.
public enum HKWheelchairUse: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// The user walks: steps are counted.
    case no = 1
    /// The user pushes a wheelchair: pushes are counted.
    case yes = 2
}
