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
    /// The one way from a recording or a simulation to a session's sensor. With kept dates, the session begins when the
    /// workout did.
    ///
    /// - Parameters:
    ///   - workout: Nil for a recording that holds none.
    ///   - now: What the clock reads.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` without a workout.
    package init(_ workout: ReplayedWorkout?, _ options: ReplayOptions, now: Date) throws {
        guard var workout else {
            throw HKError.make(.errorInvalidArgument, "The recording cannot be replayed: it holds no workout.")
        }
        workout.wearer = options.wearer ?? workout.wearer
        self.init(
            workout, speed: options.speed,
            start: options.keepsDates
                ? workout.start
                : ReplayOptions.start(ofSeconds: workout.seconds, speed: options.speed, endingBy: now))
    }
}

extension SimulatedWorkout {
    /// The simulation as a workout that a session can run. It states no energy.
    package var replayed: ReplayedWorkout {
        ReplayedWorkout(self, start: start, seconds: seconds.map(Double.init), wearer: prefix(8).wearer)
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
