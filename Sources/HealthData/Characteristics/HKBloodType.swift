/// The blood type of the user.
public enum HKBloodType: Int, Sendable {
    /// Not known, or may not be read.
    case notSet = 0
    /// A, Rhesus positive.
    case aPositive = 1
    /// A, Rhesus negative.
    case aNegative = 2
    /// B, Rhesus positive.
    case bPositive = 3
    /// B, Rhesus negative.
    case bNegative = 4
    /// AB, Rhesus positive.
    case abPositive = 5
    /// AB, Rhesus negative.
    case abNegative = 6
    /// O, Rhesus positive.
    case oPositive = 7
    /// O, Rhesus negative.
    case oNegative = 8
}
