/// The older name of `HKCategoryValueEnvironmentalAudioExposureEvent`.
@available(*, deprecated, message: "Use HKCategoryValueEnvironmentalAudioExposureEvent")
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
    case loudEnvironment = 1
}
