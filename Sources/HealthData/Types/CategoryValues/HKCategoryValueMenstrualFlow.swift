/// The older name of `HKCategoryValueVaginalBleeding`, with the same values.
@available(iOS, deprecated: 18.0, renamed: "HKCategoryValueVaginalBleeding")
public enum HKCategoryValueMenstrualFlow: Int, Sendable {
    /// There was a flow, and nobody says how strong.
    case unspecified = 1
    /// Raw value 2.
    case light = 2
    /// Raw value 3.
    case medium = 3
    /// Raw value 4.
    case heavy = 4
    /// No flow; raw value 5, not 0.
    case none = 5
}
