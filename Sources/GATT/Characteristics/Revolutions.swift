public import Foundation

/// A sensor's count of the turns of a wheel, and the time of the last turn.
public struct WheelRevolutions: Sendable, Equatable {
    /// The number of whole turns. It practically never rolls over, but may be set, and may decrease while the bike
    /// rolls backwards.
    public var count: UInt32
    /// The time of the last turn, in the ticks of its characteristic (1/1024 s; 1/2048 s with power).
    public var eventTime: UInt16

    public init(count: UInt32, eventTime: UInt16) {
        self.count = count
        self.eventTime = eventTime
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let count = cursor.uint32(bytes), let time = cursor.uint16(bytes) else { return nil }
        self.init(count: count, eventTime: time)
    }

    func write(to writer: inout FieldWriter) {
        writer.add(count)
        writer.add(eventTime)
    }
}

/// A sensor's count of the turns of the crank, and the time of the last turn.
public struct CrankRevolutions: Sendable, Equatable {
    /// The number of whole turns. It rolls over.
    public var count: UInt16
    /// The time of the last turn in 1/1024 s. It rolls over every 64 s.
    public var eventTime: UInt16

    public init(count: UInt16, eventTime: UInt16) {
        self.count = count
        self.eventTime = eventTime
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let count = cursor.uint16(bytes), let time = cursor.uint16(bytes) else { return nil }
        self.init(count: count, eventTime: time)
    }

    func write(to writer: inout FieldWriter) {
        writer.add(count)
        writer.add(eventTime)
    }
}

/// Turns per second, from a counter that rolls over and the time of its last event, which rolls over too.
///
/// The rules are the same for wheel and crank:
/// - The first packet, and the first after a silence of more than half the roll-over time of the event time, is a base
///   without a rate.
/// - A rate is the number of turns between two events divided by the time between them, never by the time between two
///   arrivals.
/// - Without a turn the last rate holds for at most `stopTimeInSeconds`; then it is 0.
/// - If there was no turn for more than half the roll-over time, the event time is ambiguous: the turns count, but the
///   rate is unknown.
/// - A change that is too fast is dropped and becomes the new base.
struct RevolutionClock: Sendable, Equatable {
    /// The time after the last turn from which on the wheel or crank counts as still. The slowest observed cadence is
    /// 20 turns per minute.
    static let stopTimeInSeconds = 3.0

    let ticksPerSecond: Double
    let maximumTurnsPerSecond: Double

    private var eventTime: UInt16?
    private var lastArrival = 0.0
    private var lastTurnArrival = 0.0
    private var turnsPerSecond: Double?

    init(ticksPerSecond: Double, maximumTurnsPerSecond: Double) {
        self.ticksPerSecond = ticksPerSecond
        self.maximumTurnsPerSecond = maximumTurnsPerSecond
    }

    enum Change: Equatable {
        /// There is nothing to compare with. The packet is the new base.
        case base
        /// The turns since the last change. The rate is nil if it is unknown.
        case turns(Int, perSecond: Double?)
        /// There was no turn. The packet is not a new base.
        case still(perSecond: Double?)
        /// The change is implausible. The packet is the new base.
        case implausible
    }

    /// - Parameters:
    ///   - turns: The turns since the last base, below 0 for a wheel that rolled back.
    ///   - arrival: Seconds on any clock.
    mutating func advance(by turns: Int, eventTime time: UInt16, arrival: Double) -> Change {
        let silence = arrival - lastArrival
        let sinceTurn = arrival - lastTurnArrival
        let ambiguity = 65536 / ticksPerSecond / 2
        lastArrival = arrival
        guard let base = eventTime, silence <= ambiguity, silence >= 0 else {
            begin(time, arrival)
            return .base
        }
        if turns == 0 {
            if sinceTurn >= Self.stopTimeInSeconds { turnsPerSecond = 0 }
            return .still(perSecond: turnsPerSecond)
        }
        eventTime = time
        lastTurnArrival = arrival
        if turns < 0 {
            turnsPerSecond = 0
            return .turns(0, perSecond: 0)
        }
        if sinceTurn > ambiguity {
            // The number of turns since the last packet is still bounded.
            turnsPerSecond = nil
            let bound = maximumTurnsPerSecond * max(silence, Self.stopTimeInSeconds)
            return Double(turns) <= bound ? .turns(turns, perSecond: nil) : .implausible
        }
        let seconds = Double(time &- base) / ticksPerSecond
        guard seconds > 0, Double(turns) / seconds <= maximumTurnsPerSecond else {
            turnsPerSecond = nil
            return .implausible
        }
        turnsPerSecond = Double(turns) / seconds
        return .turns(turns, perSecond: turnsPerSecond)
    }

    /// Makes the packet the base for all that follow.
    mutating func begin(_ time: UInt16, _ arrival: Double) {
        eventTime = time
        lastArrival = arrival
        lastTurnArrival = arrival
        turnsPerSecond = nil
    }

    mutating func forget() { eventTime = nil }
}

/// Cadence, from the turns of a crank that a cadence sensor or a power meter counts.
///
/// Call `forget()` after the sensor has reconnected.
public struct CrankCadence: Sendable, Equatable {
    /// A faster cadence is a fault.
    public static let maximumTurnsPerMinute = 250.0

    private var clock: RevolutionClock
    private var count: UInt16?

    public init() {
        clock = RevolutionClock(
            ticksPerSecond: CyclingSpeedCadenceMeasurement.ticksPerSecond,
            maximumTurnsPerSecond: Self.maximumTurnsPerMinute / 60)
    }

    /// Adds the crank's part of a packet.
    ///
    /// - Parameter arrival: When the packet arrived, on a clock that does not jump. It is only used for gaps and stops.
    /// - Returns: Turns per minute. Nil for the first packet, the first after a gap, and a fault.
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

    /// Makes the next packet the first.
    public mutating func forget() {
        count = nil
        clock.forget()
    }
}
