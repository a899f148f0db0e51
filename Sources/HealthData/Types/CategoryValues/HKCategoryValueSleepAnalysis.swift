/// What a sleeper does.
public enum HKCategoryValueSleepAnalysis: Int, Sendable {
    /// In bed, asleep or not. Overlaps the others.
    case inBed = 0
    /// Asleep, in a stage that is not known.
    case asleepUnspecified = 1
    case awake = 2
    /// Light sleep: stages N1 and N2.
    case asleepCore = 3
    /// Deep sleep: stage N3.
    case asleepDeep = 4
    /// Dreaming, with rapid eye movement.
    case asleepREM = 5

    @available(iOS, deprecated: 16.0, renamed: "asleepUnspecified")
    public static var asleep: Self { .asleepUnspecified }

    /// The stages in which the user sleeps, known or not.
    public static var allAsleepValues: Set<Self> { [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM] }
}
