extension FITActivity {
    /// What the messages state of the workout's times and distances.
    ///
    /// - Parameter records: Those with usable times.
    func stated(_ records: FITRecordSurvey, _ clock: FITClock) -> StatedWorkout {
        func stretch(
            _ start: UInt32?, _ written: UInt32?, _ elapsed: Double?, _ active: Double?, _ centimeters: UInt32?,
            _ sequence: UInt32
        ) -> StatedWorkout.Stretch {
            StatedWorkout.Stretch(
                start: start.flatMap(clock.seconds), written: written.flatMap(clock.seconds), elapsed: elapsed,
                active: active, meters: centimeters.map { Double($0) / 100 }, sequence: sequence)
        }
        var stated = StatedWorkout()
        stated.sessions = sessions.map {
            stretch(
                $0.start, $0.end, $0.elapsedInSeconds, $0.timerInSeconds, $0.distanceInCentimeters, $0.sequence)
        }
        stated.laps = laps.map {
            var lap = stretch(
                $0.start, $0.end, $0.elapsedInSeconds, $0.timerInSeconds, $0.distanceInCentimeters, $0.sequence)
            // Lengths count on from file to file of a chain, and these numbers do not.
            lap.firstLength = extent.files == 1 && extent.part == nil ? $0.firstLength.map { Int($0) } : nil
            return lap
        }
        stated.lengths = lengths.map { stretch($0.start, $0.end, $0.elapsedInSeconds, nil, nil, $0.sequence) }
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
