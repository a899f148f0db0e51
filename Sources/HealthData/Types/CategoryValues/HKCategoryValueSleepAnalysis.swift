/// What a sleeper does.
public enum HKCategoryValueSleepAnalysis: Int, Sendable {
    /// In bed, asleep or not. Overlaps the others.
    case inBed = 0
    /// Asleep, in a stage that is not known.
    case asleepUnspecified = 1
    /// Awake in the middle of a sleep; raw value 2, between two values of sleep.
    case awake = 2
    /// Light sleep: stages N1 and N2.
    case asleepCore = 3
    /// Deep sleep: stage N3.
    case asleepDeep = 4
    /// Dreaming, with rapid eye movement.
    case asleepREM = 5

    /// The older name of ``asleepUnspecified``, with the same raw value.
    @available(iOS, deprecated: 16.0, renamed: "asleepUnspecified")
    public static var asleep: Self { .asleepUnspecified }

    /// The stages in which the user sleeps, known or not.
    public static var allAsleepValues: Set<Self> { [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM] }
}
