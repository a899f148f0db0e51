/// The biological sex of the user.
public enum HKBiologicalSex: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// Raw value 1.
    case female = 1
    /// Raw value 2.
    case male = 2
    /// Neither of the two.
    case other = 3
}
