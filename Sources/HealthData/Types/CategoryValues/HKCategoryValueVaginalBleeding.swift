/// How strong a bleeding is. Mind that `none` is 5, not 0.
public enum HKCategoryValueVaginalBleeding: Int, Sendable {
    case unspecified = 1
    case light = 2
    case medium = 3
    case heavy = 4
    case none = 5
}
