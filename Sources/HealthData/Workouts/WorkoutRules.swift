import Foundation

/// What must hold of a workout's events and activities.
package enum WorkoutRules {
    /// Events lie inside the workout. Their order does not matter, and pauses need not be balanced.
    package static func check(_ events: [HKWorkoutEvent], start: Date, end: Date) throws(SampleError) {
        for event in events where event.dateInterval.start < start || event.dateInterval.end > end {
            throw .eventOutside(kind: event.type.caseName, date: event.dateInterval.start, start: start, end: end)
        }
    }

    /// Activities lie inside the workout, have ended, do not overlap and are of a kind that the workout takes. They need
    /// not cover it, nor be in order.
    package static func check(
        _ activities: [HKWorkoutActivity], of workout: HKWorkoutActivityType, start: Date, end: Date
    ) throws(SampleError) {
        var last = start
        for activity in activities.sorted(by: { $0.startDate < $1.startDate }) {
            guard let activityEnd = activity.endDate, activity.startDate >= start, activityEnd <= end else {
                throw .activityOutside(start: activity.startDate, end: activity.endDate)
            }
            guard activity.startDate >= last else { throw .activitiesOverlap(at: activity.startDate) }
            last = activityEnd
            try check(activity.workoutConfiguration.activityType, in: workout)
        }
    }

    /// A multisport workout (`swimBikeRun`) takes swimming, cycling, running and the transitions between them; any
    /// other workout takes its own activity only, as intervals. A workout of activity `other` takes everything: that is how
    /// another device's mix of sports is told, and Apple's API has no better name for it.
    package static func check(
        _ activity: HKWorkoutActivityType, in workout: HKWorkoutActivityType
    ) throws(SampleError) {
        if workout == .other { return }
        let allowed: Set<HKWorkoutActivityType> =
            workout == .swimBikeRun ? [.swimming, .cycling, .running, .transition] : [workout]
        guard allowed.contains(activity) else {
            throw .activityNotAllowed(activity: activity.caseName, workout: workout.caseName)
        }
    }

    /// How much longer one interval is than another; 1 for one without length.
    static func ratio(of start: Date, _ end: Date, to oldStart: Date, _ oldEnd: Date) -> Double {
        let old = oldEnd.timeIntervalSince(oldStart)
        return old > 0 && old.isFinite ? end.timeIntervalSince(start) / old : 1
    }
}
