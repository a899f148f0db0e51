/// Noise around the user was too loud.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable {
    /// Above the limit; the metadata may say how loud, under ``HKMetadataKeyAudioExposureLevel``.
    case momentaryLimit = 1
}
