package import SessionLog

extension Recording {
    /// The recording as a workout that a session can run again. Nil if it holds no workout.
    package var replayed: ReplayedWorkout? {
        guard let start = facts.start else { return nil }
        let entries = entriesWithReadings
        return ReplayedWorkout(
            entries, start: start, seconds: facts.seconds, wearer: facts.wearer, hasEnergy: { statesEnergy },
            failure: { entries.failure })
    }
}
