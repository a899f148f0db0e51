public import Foundation

/// How hard a workout, or a part of it, was: the workout and the effort samples that belong to it.
// Sendable holds: all stored properties are immutable.
public final class HKWorkoutEffortRelationship: NSObject, NSCopying, @unchecked Sendable {
    public let workout: HKWorkout
    /// Nil when the samples are about the whole workout.
    public let activity: HKWorkoutActivity?
    /// In order of their start.
    public let samples: [HKSample]?

    package init(workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]?) {
        self.workout = workout
        self.activity = activity
        self.samples = samples
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
    /// All samples.
    case `default` = 0
    /// Of each workout or part one sample: what the user said goes before what was estimated, the latest before earlier
    /// ones. Apple does not say how it chooses.
    case mostRelevant = 1
}
