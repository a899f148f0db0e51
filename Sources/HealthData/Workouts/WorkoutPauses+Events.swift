package import SessionLog

extension WorkoutPauses {
    /// Finds the pauses between `start` and `end`. Events may be in any order. Those of one instant keep their order.
    package init(of events: [HKWorkoutEvent], start: Date, end: Date) {
        var pauses: [(start: Date, end: Date?)] = []
        var pausedSince: Date?
        for event in events.sortedByStart {
            let date = min(max(event.dateInterval.start, start), max(start, end))
            switch event.type {
            case .pause:
                pausedSince = pausedSince ?? date
            case .resume:
                if let since = pausedSince { pauses.append((since, date)) }
                pausedSince = nil
            case .lap, .marker, .motionPaused, .motionResumed, .segment, .pauseOrResumeRequest:
                break
            }
        }
        if let since = pausedSince { pauses.append((since, nil)) }
        self.init(pauses, start: start, end: end)
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
