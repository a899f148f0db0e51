/// How strong a bleeding is. Mind that `none` is 5, not 0.
public enum HKCategoryValueVaginalBleeding: Int, Sendable {
    /// There was one, and nobody says how strong.
    case unspecified = 1
    /// Raw value 2.
    case light = 2
    /// Raw value 3.
    case medium = 3
    /// Raw value 4.
    case heavy = 4
    /// No bleeding; raw value 5, not 0.
    case none = 5
}
