package import Foundation

/// The pauses of a workout from its pause and resume events, which `duration` and `elapsedTime` exclude.
///
/// Events need not be balanced: a pause in a pause and a resume without one have no effect, and a pause without an end
/// lasts until the end of the workout. `motionPaused` and `motionResumed` do not stop the clock: Apple's documentation
/// counts pause and resume only.
package struct WorkoutPauses: Sendable, Equatable {
    /// The pauses in order of time, without overlaps, none of them empty, all inside the workout.
    package private(set) var intervals: [DateInterval] = []

    /// - Parameter pauses: The pauses in order of time, without overlaps. One without an end lasts until `end`.
    package init(_ pauses: some Sequence<(start: Date, end: Date?)>, start: Date, end: Date) {
        for pause in pauses { add(from: max(pause.start, start), to: min(pause.end ?? end, end)) }
    }

    private mutating func add(from start: Date, to end: Date) {
        if start < end { intervals.append(DateInterval(start: start, end: end)) }
    }

    /// Returns the time from `start` to `end` without pauses. 0 if `end` is not after `start`.
    package func activeSeconds(from start: Date, to end: Date) -> TimeInterval {
        guard start < end else { return 0 }
        let span = DateInterval(start: start, end: end)
        return intervals.reduce(span.duration) { $0 - ($1.intersection(with: span)?.duration ?? 0) }
    }
}
