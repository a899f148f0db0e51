/// The cardio fitness fell below what is usual for age and sex.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable {
    case lowFitness = 1
}
