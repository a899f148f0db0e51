public import Foundation

/// The effort of a workout or of one of its activities: the workout, and its effort samples.
// Sendable holds: all stored properties are immutable.
public final class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The rated workout, even if the samples rate only one of its activities.
    public let workout: HKWorkout
    /// The rated activity. Nil if the samples rate the whole workout.
    public let activity: HKWorkoutActivity?
    /// The effort samples, sorted by start.
    public let samples: [HKSample]?

    package init(workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]?) {
        self.workout = workout
        self.activity = activity
        self.samples = samples
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let workout = coder.decodeValue(of: HKWorkout.self, forKey: "workout") else { return nil }
        let samples = coder.decodeList(of: HKQuantitySample.self, forKey: "samples")
        self.init(
            workout: workout, activity: coder.decodeValue(of: HKWorkoutActivity.self, forKey: "activity"),
            samples: samples)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(workout, forKey: "workout")
        coder.encodeIfPresent(activity, forKey: "activity")
        if let samples { coder.encode(list: samples, forKey: "samples") }
    }
}

/// The effort samples of a workout that a query returns.
public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
    /// All samples.
    case `default` = 0
    /// One sample for each workout or activity: the latest that the user entered, otherwise the latest estimate. Apple doesn't
    /// document its choice.
    case mostRelevant = 1
}
