/// Whether the user stood and moved for a minute of an hour. Mind that 0 is the one who stood.
public enum HKCategoryValueAppleStandHour: Int, Sendable {
    case stood = 0
    case idle = 1
}
