/// Where a swim takes place.
public enum HKWorkoutSwimmingLocationType: Int, Sendable {
    /// Nobody says, or it is no swim.
    case unknown = 0
    /// In lanes of a known length.
    case pool = 1
    /// In a lake, a river or the sea.
    case openWater = 2
}
