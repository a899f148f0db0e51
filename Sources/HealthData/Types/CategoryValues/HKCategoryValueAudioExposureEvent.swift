/// The older name of `HKCategoryValueEnvironmentalAudioExposureEvent`.
@available(iOS, deprecated: 14.0, message: "Use HKCategoryValueEnvironmentalAudioExposureEvent")
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
    case loudEnvironment = 1
}
