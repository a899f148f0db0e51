/// The maximum frequency at which an app is started for new data in the background.
public enum HKUpdateFrequency: Int, Sendable {
    /// As soon as there is new data. For some types at most once an hour.
    case immediate = 1
    /// Once an hour at most.
    case hourly = 2
    /// Once in 24 hours at most.
    case daily = 3
    /// Once in seven days at most.
    case weekly = 4
}
