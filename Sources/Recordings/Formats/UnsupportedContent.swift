/// What a file of a format that recordings have holds, where that is no workout.
public struct UnsupportedContent: Sendable, Hashable {
    /// What such a file is called, such as “course”, and several of them.
    public let singular: String
    /// Several of them, such as “courses”.
    public let plural: String
    /// What it is, and what to do instead.
    public let advice: String

    init(_ singular: String, _ plural: String, _ advice: String) {
        self.singular = singular
        self.plural = plural
        self.advice = advice
    }

    static let course = UnsupportedContent(
        "course", "courses", "it is a planned course, not a recorded activity; export the activity itself")
    static let plan = UnsupportedContent(
        "plan of a workout", "plans of workouts",
        "it is a workout plan, not a recorded activity; export the activity itself")
}
