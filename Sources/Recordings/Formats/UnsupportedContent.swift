/// The content of a file that has the format of recordings but holds no workout.
public struct UnsupportedContent: Sendable, Hashable {
    /// The name of such content, such as “course”.
    public let singular: String
    /// The plural of the name, such as “courses”.
    public let plural: String
    /// What the file is, and what to do instead.
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
        "it is a workout plan, not a recorded activity; export the activity itself, or ride the plan with 'workout record --plan FILE'"
    )
}
