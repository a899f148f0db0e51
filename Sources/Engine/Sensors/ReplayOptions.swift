package import Foundation
package import SessionLog

/// The options of replays and simulations, from `replay:FILE?…`, `simulate?…` or the command line.
package struct ReplayOptions: Sendable {
    /// The speed as a factor. Infinity for the highest.
    package var speed: Double
    package var keepsDates: Bool
    /// The wearer instead of the recording's. By default, a replay depends only on the recording and not on this
    /// machine's profile.
    package var wearer: WearerProfile?

    package init(speed: Double = 1, keepsDates: Bool = false, wearer: WearerProfile? = nil) {
        self.speed = speed
        self.keepsDates = keepsDates
        self.wearer = wearer
    }

    /// The start of a session that is faster than the clock, so that it ends now and is never in the future. Nil for
    /// other sessions and for those without an end, which begin when the app begins them.
    package static func start(ofSeconds seconds: Double?, speed: Double, endingBy now: Date) -> Date? {
        guard speed > 1, let seconds, seconds.isFinite else { return nil }
        let start = now.addingTimeInterval(-seconds * (1 - 1 / speed))
        return Date(timeIntervalSince1970: (start.timeIntervalSince1970 * 1000).rounded(.down) / 1000)
    }
}

extension ReplaySensor {
    /// Creates a session's sensor from a recording or a simulation. With kept dates, the session begins at the
    /// workout's start.
    ///
    /// - Parameters:
    ///   - workout: Nil for a recording without a workout.
    ///   - now: The present date.
    /// - Throws: ``NoWorkoutToReplay``.
    package init(_ workout: ReplayedWorkout?, _ options: ReplayOptions, now: Date) throws {
        guard var workout else {
            throw NoWorkoutToReplay()
        }
        workout.wearer = options.wearer ?? workout.wearer
        self.init(
            workout, speed: options.speed,
            start: options.keepsDates
                ? workout.start
                : ReplayOptions.start(ofSeconds: workout.seconds, speed: options.speed, endingBy: now))
    }
}

/// A recording without a workout.
package struct NoWorkoutToReplay: InvalidArgument {
    package init() {}

    package var description: String { "The recording cannot be replayed: it holds no workout." }
}

extension SimulatedWorkout {
    /// The simulation as a workout that a session can run. It states no energy.
    package var replayed: ReplayedWorkout {
        ReplayedWorkout(self, start: start, seconds: seconds.map(Double.init), wearer: prefix(8).wearer)
    }
}

extension Sequence<SessionEntry> {
    /// The start of the recorded session.
    package var start: Date? {
        first { $0.content == .state(.running) }?.date
    }

    /// The wearer of the sensors, if known.
    package var wearer: WearerProfile? {
        for entry in self { if case .wearer(let profile) = entry.content { return profile } }
        return nil
    }
}
