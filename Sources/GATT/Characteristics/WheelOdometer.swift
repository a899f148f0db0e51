public import Foundation

/// Speed and distance, from the turns of a wheel that a speed sensor or a power meter counts.
///
/// Call `forget()` when the sensor was connected anew: what the wheel did meanwhile is a gap.
public struct WheelOdometer: Sendable, Equatable {
    /// A 25-622 tyre, the usual one of a road bike (ETRTO).
    public static let defaultCircumferenceInMeters = 2.105
    /// 100 km/h: what is faster is taken for a fault.
    public static let maximumMetersPerSecond = 100 / 3.6
    /// A wheel that rolls back further than this between two packets was reset.
    static let maximumTurnsBack = 16

    /// What one packet says that the wheel did since the one before.
    public struct Motion: Sendable, Equatable {
        /// 0 while the wheel stands, or rolls back.
        public var distanceInMeters: Double
        /// Nil when the distance is known and the time is not.
        public var speedInMetersPerSecond: Double?
    }

    public let circumferenceInMeters: Double
    private var clock: RevolutionClock
    private var count: UInt32?

    /// - Parameters:
    ///   - circumferenceInMeters: Above 0.
    ///   - ticksPerSecond: ``CyclingSpeedCadenceMeasurement/ticksPerSecond`` or
    ///     ``CyclingPowerMeasurement/wheelTicksPerSecond``.
    public init(
        circumferenceInMeters: Double = defaultCircumferenceInMeters,
        ticksPerSecond: Double = CyclingSpeedCadenceMeasurement.ticksPerSecond
    ) {
        precondition(circumferenceInMeters > 0, "a wheel's circumference is above 0 m, not \(circumferenceInMeters)")
        self.circumferenceInMeters = circumferenceInMeters
        clock = RevolutionClock(
            ticksPerSecond: ticksPerSecond,
            maximumTurnsPerSecond: Self.maximumMetersPerSecond / circumferenceInMeters)
    }

    /// Takes the wheel's part of a packet.
    ///
    /// - Parameter arrival: When the packet came, on a clock that does not jump; it only tells gaps and stops.
    /// - Returns: Nil when nothing follows: the first packet, the first after a gap, a fault.
    public mutating func add(_ wheel: WheelRevolutions, at arrival: Date) -> Motion? {
        let arrival = arrival.timeIntervalSinceReferenceDate
        let before = count
        var turns = 0
        if let before {
            turns = Int(Int32(bitPattern: wheel.count &- before))
            if turns < -Self.maximumTurnsBack {
                count = wheel.count
                clock.begin(wheel.eventTime, arrival)
                return nil
            }
        }
        switch clock.advance(by: turns, eventTime: wheel.eventTime, arrival: arrival) {
        case .base, .implausible:
            count = wheel.count
            return nil
        case .still(let perSecond):
            return perSecond.map { Motion(distanceInMeters: 0, speedInMetersPerSecond: $0 * circumferenceInMeters) }
        case .turns(let turns, let perSecond):
            count = wheel.count
            return Motion(
                distanceInMeters: Double(turns) * circumferenceInMeters,
                speedInMetersPerSecond: perSecond.map { $0 * circumferenceInMeters })
        }
    }

    /// The next packet is the first.
    public mutating func forget() {
        count = nil
        clock.forget()
    }
}
