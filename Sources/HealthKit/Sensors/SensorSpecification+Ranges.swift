extension SensorSpecification {
    /// How many times faster than recorded a replay or a simulation may go, besides `max`: an hour takes six weeks, or four
    /// milliseconds.
    public static let speeds = 0.001...1_000_000.0

    /// How long a simulation may be: a second to a year.
    public static let durationsInSeconds = 1...31_622_400.0
}
