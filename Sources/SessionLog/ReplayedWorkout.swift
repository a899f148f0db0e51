package import Foundation

/// A workout that a session can run again: a recording or a simulation. Its entries are read or made when they are needed.
package struct ReplayedWorkout: Sendable {
    /// In order of time. Entries before `start` are not replayed.
    package var entries: any Sequence<SessionEntry> & Sendable
    /// When the workout began.
    package var start: Date
    /// The seconds from start to end, with pauses. Nil if they are unknown, and for a workout without an end.
    package var seconds: Double?
    /// Who wore the sensors, if this is known.
    package var wearer: WearerProfile?
    /// Whether energy is among the readings. It may read the entries.
    package var hasEnergy: @Sendable () -> Bool
    /// The error that ended an iteration of the entries early. Nil if there was none.
    package var failure: @Sendable () -> (any Error)?

    package init(
        _ entries: any Sequence<SessionEntry> & Sendable, start: Date, seconds: Double? = nil,
        wearer: WearerProfile? = nil, hasEnergy: @escaping @Sendable () -> Bool = { false },
        failure: @escaping @Sendable () -> (any Error)? = { nil }
    ) {
        self.entries = entries
        self.start = start
        self.seconds = seconds
        self.wearer = wearer
        self.hasEnergy = hasEnergy
        self.failure = failure
    }
}
