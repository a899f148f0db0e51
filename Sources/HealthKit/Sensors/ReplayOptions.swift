package import Recordings
package import SessionLog

/// How a recording or a simulation is run: what `replay:FILE?…`, `simulate?…` and the command's options say.
package struct ReplayOptions: Sendable {
    /// How many times faster than it happened; infinity for as fast as it goes.
    package var speed: Double
    package var keepsDates: Bool
    /// Whoever wears the sensors in place of the one whom the recording is of. A replay is a function of the recording:
    /// what the machine knows takes part only where that is asked for.
    package var wearer: WearerProfile?

    package init(speed: Double = 1, keepsDates: Bool = false, wearer: WearerProfile? = nil) {
        self.speed = speed
        self.keepsDates = keepsDates
        self.wearer = wearer
    }

    /// When a session that is faster than the clock has to begin, so that it is over when the clock says so and at no time
    /// ahead of it. Nil for one that is not, and for one without an end: these begin when the app begins them.
    package static func start(ofSeconds seconds: Double?, speed: Double, endingBy now: Date) -> Date? {
        guard speed > 1, let seconds, seconds.isFinite else { return nil }
        let start = now.addingTimeInterval(-seconds * (1 - 1 / speed))
        return Date(timeIntervalSince1970: (start.timeIntervalSince1970 * 1000).rounded(.down) / 1000)
    }
}

extension ReplaySensor {
    /// A recording: the one way from a file to a session's sensor.
    ///
    /// - Parameter now: What the clock reads.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a recording without a workout in it.
    package init(_ recording: Recording, _ options: ReplayOptions, now: Date) throws {
        guard let start = recording.facts.start else {
            throw HKError.make(.errorInvalidArgument, "The recording cannot be replayed: it holds no workout.")
        }
        self.init(
            recording.entriesWithReadings, recordedStart: start, speed: options.speed,
            start: options.keepsDates
                ? start
                : ReplayOptions.start(ofSeconds: recording.facts.seconds, speed: options.speed, endingBy: now),
            wearer: options.wearer ?? recording.facts.wearer, hasEnergy: { recording.statesEnergy })
    }

    /// The simulator. Kept dates are those that the workout was made with.
    package init(_ workout: SimulatedWorkout, _ options: ReplayOptions, now: Date) {
        self.init(
            workout, recordedStart: workout.start, speed: options.speed,
            start: options.keepsDates
                ? workout.start
                : ReplayOptions.start(ofSeconds: workout.seconds.map(Double.init), speed: options.speed, endingBy: now),
            wearer: options.wearer ?? workout.prefix(8).wearer)
    }
}

extension Sequence<SessionEntry> {
    /// When the recorded session began to run.
    package var start: Date? {
        first { $0.content == .state(.running) }?.date
    }

    /// Who wore the sensors, where that is said.
    package var wearer: WearerProfile? {
        for entry in self { if case .wearer(let profile) = entry.content { return profile } }
        return nil
    }
}
