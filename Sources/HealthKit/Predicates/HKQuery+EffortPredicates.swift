extension HKQuery {
    /// Effort samples that were related to a workout; with an activity, those whose time overlaps it.
    ///
    /// A predicate knows no store, and which part a sample was related to is known there alone: the time stands in for it.
    /// ``HKWorkoutEffortRelationshipQuery`` tells parts apart as they were named.
    public class func predicateForWorkoutEffortSamplesRelated(
        workout: HKWorkout, activity: HKWorkoutActivity?
    ) -> NSPredicate {
        let related = SampleFilter.workout(workout.uuid)
        guard let activity else { return related.predicate }
        let end = activity.endDate ?? workout.endDate
        return SampleFilter.and([
            related, .startDate(.lessOrEqual, end), .endDate(.greaterOrEqual, activity.startDate),
        ]).predicate
    }
}
