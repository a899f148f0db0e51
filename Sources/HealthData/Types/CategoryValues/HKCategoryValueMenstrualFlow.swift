/// The older name of `HKCategoryValueVaginalBleeding`, with the same values.
@available(iOS, deprecated: 18.0, renamed: "HKCategoryValueVaginalBleeding")
public enum HKCategoryValueMenstrualFlow: Int, Sendable {
    case unspecified = 1
    case light = 2
    case medium = 3
    case heavy = 4
    case none = 5
}
