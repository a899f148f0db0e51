public import Foundation

/// How hard a workout, or a part of it, was: the workout and the effort samples that belong to it.
// Sendable holds: all stored properties are immutable.
public final class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
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

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let workout = coder.decodeValue(of: HKWorkout.self, forKey: "workout") else { return nil }
        let samples = coder.decodeList(of: HKQuantitySample.self, forKey: "samples")
        self.init(
            workout: workout, activity: coder.decodeValue(of: HKWorkoutActivity.self, forKey: "activity"),
            samples: samples)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(workout, forKey: "workout")
        coder.encodeIfPresent(activity, forKey: "activity")
        if let samples { coder.encode(list: samples, forKey: "samples") }
    }
}

public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
    /// All samples.
    case `default` = 0
    /// Of each workout or part one sample: what the user said goes before what was estimated, the latest before earlier
    /// ones. Apple does not say how it chooses.
    case mostRelevant = 1
}
