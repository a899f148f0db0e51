public import Foundation

/// How hard a workout, or a part of it, was: the workout and the effort samples that belong to it.
// Sendable holds: all stored properties are immutable.
public final class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The workout that the samples rate; also where they rate a part of it only.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        guard let workout = coder.decodeValue(of: HKWorkout.self, forKey: "workout") else { return nil }
        let samples = coder.decodeList(of: HKQuantitySample.self, forKey: "samples")
        self.init(
            workout: workout, activity: coder.decodeValue(of: HKWorkoutActivity.self, forKey: "activity"),
            samples: samples)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(workout, forKey: "workout")
        coder.encodeIfPresent(activity, forKey: "activity")
        if let samples { coder.encode(list: samples, forKey: "samples") }
    }
}

/// How many of a workout's effort samples are handed out.
public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
    /// All samples.
    case `default` = 0
    /// Of each workout or part one sample: what the user said goes before what was estimated, the latest before earlier
    /// ones. Apple does not say how it chooses.
    case mostRelevant = 1
}
