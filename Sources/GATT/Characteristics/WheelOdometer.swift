public import Foundation

/// Speed and distance, from the turns of a wheel that a speed sensor or a power meter counts.
///
/// Call `forget()` after the sensor has reconnected: the turns in between are a gap.
public struct WheelOdometer: Sendable, Equatable {
    /// A 25-622 tyre, the usual size for a road bike (ETRTO).
    public static let defaultCircumferenceInMeters = 2.105
    /// 100 km/h. A faster speed is a fault.
    public static let maximumMetersPerSecond = 100 / 3.6
    /// A wheel that rolls back further than this between two packets was reset.
    static let maximumTurnsBack = 16

    /// The motion of the wheel since the packet before.
    public struct Motion: Sendable, Equatable {
        /// The distance, 0 while the wheel stands or rolls back.
        public var distanceInMeters: Double
        /// The speed. Nil if the distance is known but not the time.
        public var speedInMetersPerSecond: Double?
    }

    public let circumferenceInMeters: Double
    private var clock: RevolutionClock
    private var count: UInt32?

    /// - Parameters:
    ///   - circumferenceInMeters: The circumference, above 0.
    ///   - ticksPerSecond: ``CyclingSpeedCadenceMeasurement/ticksPerSecond`` or
    /// ``CyclingPowerMeasurement/wheelTicksPerSecond``.
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

    /// Adds the wheel's part of a packet.
    ///
    /// - Parameter arrival: When the packet arrived, on a clock that does not jump. It is only used for gaps and stops.
    /// - Returns: Nil for the first packet, the first after a gap, and a fault.
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

    /// Makes the next packet the first.
    public mutating func forget() {
        count = nil
        clock.forget()
    }
}
