/// Whether the user stood and moved for a minute of an hour. Mind that 0 is the one who stood.
public enum HKCategoryValueAppleStandHour: Int, Sendable {
    /// At least a minute of the hour; raw value 0.
    case stood = 0
    /// Not in the whole hour; raw value 1.
    case idle = 1
}
