package import SessionLog

/// Where a session's readings come from; below this seam nothing knows which kind it is.
///
/// The contract, which every conformer is tested against: batches come in order of time; each holds what belongs to one
/// instant; the sequence ends when nothing more will come, throws when the sensor failed for good, and stops when its
/// task is cancelled. A sensor that is merely away says so with a `.sensor` entry and goes on later.
package protocol Sensor: Sendable {
    associatedtype Batches: AsyncSequence<[SessionEntry], any Error>

    /// How the session's clock runs while this sensor feeds it.
    var pace: SessionTimeline.Pace { get }
    /// Set when the session has to begin at the recording's own date.
    var fixedStart: Date? { get }
    /// Whom a recording or a simulation is of, where it says so.
    var wearer: WearerProfile? { get }
    /// Whether the energy that was spent is among the readings: then it is not estimated besides. Asked once, when somebody is
    /// known whose energy could be estimated.
    var statesEnergy: Bool { get }

    /// The readings of a session that begins at `start`. One consumer; it pulls, so a slow one slows a replay down and
    /// loses nothing.
    func batches(from start: Date, time: any TimeSource) -> Batches
}

extension Sensor {
    package var wearer: WearerProfile? { nil }
    package var statesEnergy: Bool { false }
}
