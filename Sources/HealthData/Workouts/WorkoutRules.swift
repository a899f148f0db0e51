import Foundation
import SessionLog

/// The rules for a workout's events and activities.
package enum WorkoutRules {
    /// Checks that events lie inside the workout. Their order does not matter, and pauses need not be balanced.
    package static func check(_ events: [HKWorkoutEvent], start: Date, end: Date) throws(SampleError) {
        for event in events where event.dateInterval.start < start || event.dateInterval.end > end {
            throw .eventOutside(kind: event.type.caseName, date: event.dateInterval.start, start: start, end: end)
        }
    }

    /// Checks that activities lie inside the workout, have ended, do not overlap and are of a kind that the workout
    /// allows. They need not cover it or be in order.
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

    /// Checks that a workout allows an activity (``ActivityDescription/takes(_:in:)``).
    package static func check(
        _ activity: HKWorkoutActivityType, in workout: HKWorkoutActivityType
    ) throws(SampleError) {
        guard ActivityDescription.takes(activity.caseName, in: workout.caseName) else {
            throw .activityNotAllowed(activity: activity.caseName, workout: workout.caseName)
        }
    }

    /// Returns how many times longer one interval is than another, or 1 if the other has no length.
    static func ratio(of start: Date, _ end: Date, to oldStart: Date, _ oldEnd: Date) -> Double {
        let old = oldEnd.timeIntervalSince(oldStart)
        return old > 0 && old.isFinite ? end.timeIntervalSince(start) / old : 1
    }
}
