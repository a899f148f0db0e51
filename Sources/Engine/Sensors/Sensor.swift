package import Foundation
package import SessionLog

/// A source of readings for a session, of any kind.
///
/// Every conformer is tested for this contract: batches come in order of time, and each contains the entries of one
/// instant. The sequence ends when no more will come, throws if the sensor failed for good, and stops when its task is
/// cancelled. A sensor that is only away reports it with a `.sensor` entry and continues later.
package protocol Sensor: Sendable {
    associatedtype Batches: AsyncSequence<[SessionEntry], any Error>

    /// The clock of a session with this sensor.
    var pace: SessionTimeline.Pace { get }
    /// The start of the session, if it keeps the recording's dates.
    var fixedStart: Date? { get }
    /// The wearer of a recording or a simulation, if known.
    var wearer: WearerProfile? { get }
    /// Whether the readings include energy, so that none is estimated. Called once, if the wearer is known.
    var statesEnergy: Bool { get }

    /// Returns the readings of a session that begins at `start`, for one consumer. It pulls, so a slow consumer slows a
    /// replay down and loses nothing.
    func batches(from start: Date, time: any TimeSource) -> Batches
}

extension Sensor {
    package var wearer: WearerProfile? { nil }
    package var statesEnergy: Bool { false }
}
