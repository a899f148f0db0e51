/// Whether a workout takes place under a roof.
public enum HKWorkoutSessionLocationType: Int, Sendable {
    /// Nobody says.
    case unknown = 1
    /// Under a roof.
    case indoor = 2
    /// In the open.
    case outdoor = 3
}
