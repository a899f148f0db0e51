/// The older name of `HKCategoryValueEnvironmentalAudioExposureEvent`.
@available(iOS, deprecated: 14.0, message: "Use HKCategoryValueEnvironmentalAudioExposureEvent")
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
    /// The noise around was above the limit; the same raw value as
    /// ``HKCategoryValueEnvironmentalAudioExposureEvent/momentaryLimit``.
    case loudEnvironment = 1
}
