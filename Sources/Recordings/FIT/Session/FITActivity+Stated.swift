extension FITActivity {
    /// Returns what the messages state about the times and distances of the workout.
    ///
    /// - Parameter records: The records with usable times.
    func stated(_ records: FITRecordSurvey, _ clock: FITClock) -> StatedWorkout {
        func stretch(_ summary: Summary) -> StatedWorkout.Stretch {
            StatedWorkout.Stretch(
                start: summary.start.flatMap(clock.seconds), written: summary.end.flatMap(clock.seconds),
                elapsed: summary.elapsedInSeconds, active: summary.timerInSeconds,
                meters: summary.distanceInCentimeters.map { Double($0) / 100 },
                // The numbers of lengths continue from file to file of a chain, but these numbers do not.
                firstLength: extent.files == 1 && extent.part == nil ? summary.firstLength.map { Int($0) } : nil,
                sequence: summary.sequence)
        }
        var stated = StatedWorkout()
        stated.sessions = sessions.map(stretch)
        stated.laps = laps.map(stretch)
        stated.lengths = lengths.map {
            StatedWorkout.Stretch(
                start: $0.start.flatMap(clock.seconds), written: $0.end.flatMap(clock.seconds),
                elapsed: $0.elapsedInSeconds, sequence: $0.sequence)
        }
        stated.timerEvents = events.compactMap { event in
            clock.seconds(event.time).map {
                StatedWorkout.TimerEvent(sequence: event.sequence, seconds: $0, isStart: event.isStart)
            }
        }
        if let first = records.earliest.flatMap(clock.seconds), let last = records.latest.flatMap(clock.seconds) {
            stated.samples = min(first, last)...max(first, last)
        }
        stated.gaps = records.gaps(clock)
        return stated
    }
}
