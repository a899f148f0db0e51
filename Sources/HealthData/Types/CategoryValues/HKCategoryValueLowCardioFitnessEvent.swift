/// The cardio fitness fell below what is usual for age and sex.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable {
    /// The only event; the metadata may have the limit under ``HKMetadataKeyLowCardioFitnessEventThreshold``.
    case lowFitness = 1
}
