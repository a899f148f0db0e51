/// Headphones were too loud for too long.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable {
    /// What seven days may have was used up.
    case sevenDayLimit = 1
}
