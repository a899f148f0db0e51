public import Foundation

/// Cadence, from the turns of a crank that a cadence sensor or a power meter counts.
///
/// Call `forget()` when the sensor was connected anew.
public struct CrankCadence: Sendable, Equatable {
    /// What is faster is taken for a fault.
    public static let maximumTurnsPerMinute = 250.0

    private var clock: RevolutionClock
    private var count: UInt16?

    public init() {
        clock = RevolutionClock(
            ticksPerSecond: CyclingSpeedCadenceMeasurement.ticksPerSecond,
            maximumTurnsPerSecond: Self.maximumTurnsPerMinute / 60)
    }

    /// Takes the crank's part of a packet.
    ///
    /// - Parameter arrival: When the packet came, on a clock that does not jump; it only tells gaps and stops.
    /// - Returns: Turns a minute; nil when nothing follows: the first packet, the first after a gap, a fault.
    public mutating func add(_ crank: CrankRevolutions, at arrival: Date) -> Double? {
        let turns = count.map { Int(crank.count &- $0) } ?? 0
        let change = clock.advance(
            by: turns, eventTime: crank.eventTime, arrival: arrival.timeIntervalSinceReferenceDate)
        switch change {
        case .base, .implausible:
            count = crank.count
            return nil
        case .still(let perSecond):
            return perSecond.map { $0 * 60 }
        case .turns(_, let perSecond):
            count = crank.count
            return perSecond.map { $0 * 60 }
        }
    }

    /// The next packet is the first.
    public mutating func forget() {
        count = nil
        clock.forget()
    }
}
