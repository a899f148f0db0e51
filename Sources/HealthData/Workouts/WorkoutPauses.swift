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

    /// Finds the pauses between `start` and `end`. Events may be in any order. Those of one instant keep their order.
    package init(of events: [HKWorkoutEvent], start: Date, end: Date) {
        var pausedSince: Date?
        for event in events.sortedByStart {
            let date = min(max(event.dateInterval.start, start), max(start, end))
            switch event.type {
            case .pause:
                pausedSince = pausedSince ?? date
            case .resume:
                if let since = pausedSince { add(from: since, to: date) }
                pausedSince = nil
            case .lap, .marker, .motionPaused, .motionResumed, .segment, .pauseOrResumeRequest:
                break
            }
        }
        if let since = pausedSince { add(from: since, to: end) }
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

extension [HKWorkoutEvent] {
    /// The events in order of their start. Events of one instant keep their order.
    package var sortedByStart: [HKWorkoutEvent] {
        let ordered = zip(self, dropFirst()).allSatisfy { $0.dateInterval.start <= $1.dateInterval.start }
        guard !ordered else { return self }
        return enumerated()
            .sorted { ($0.element.dateInterval.start, $0.offset) < ($1.element.dateInterval.start, $1.offset) }
            .map(\.element)
    }

    /// Returns the events that overlap the time from `start` to `end`, also partly. Without an end there is no upper
    /// bound.
    package func overlapping(start: Date, end: Date?) -> [HKWorkoutEvent] {
        filter { $0.dateInterval.end >= start && $0.dateInterval.start <= end ?? .distantFuture }
    }
}
