public import Foundation

/// How often a wheel has turned, and when it last did, as a sensor counts it.
public struct WheelRevolutions: Sendable, Equatable {
    /// Whole turns. Practically never rolls over, but may be set, and may fall while the bike rolls backwards.
    public var count: UInt32
    /// The time of the last turn, in the ticks of the characteristic it came with (1/1024 s, with power 1/2048 s).
    public var eventTime: UInt16

    public init(count: UInt32, eventTime: UInt16) {
        self.count = count
        self.eventTime = eventTime
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let count = cursor.uint32(bytes), let time = cursor.uint16(bytes) else { return nil }
        self.init(count: count, eventTime: time)
    }
}

/// How often the crank has turned, and when it last did, as a sensor counts it.
public struct CrankRevolutions: Sendable, Equatable {
    /// Whole turns; rolls over.
    public var count: UInt16
    /// The time of the last turn, in 1/1024 s; rolls over every 64 s.
    public var eventTime: UInt16

    public init(count: UInt16, eventTime: UInt16) {
        self.count = count
        self.eventTime = eventTime
    }

    init?(_ bytes: Span<UInt8>, _ cursor: inout FieldCursor) {
        guard let count = cursor.uint16(bytes), let time = cursor.uint16(bytes) else { return nil }
        self.init(count: count, eventTime: time)
    }
}

/// Turns per second, from a counter that rolls over and the time of its last event, which does too.
///
/// The one set of rules for wheel and crank:
/// - The first packet, and the first after a silence of more than half the time in which the event time rolls over, give
///   a base and no rate.
/// - A rate is the turns between two events over the time between them, never over the time between two arrivals.
/// - Without a turn the last rate holds, for `stopTime` at most; then it is 0.
/// - When no turn came for more than half the roll-over time, the event time is ambiguous: the turns count, the rate is
///   not known.
/// - Too fast a change is dropped, and is the new base.
struct RevolutionClock: Sendable, Equatable {
    /// How long after the last turn the wheel or crank is held to be still: 20 turns a minute are the slowest seen.
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
        /// There is nothing to compare with: what came is the new base.
        case base
        /// Turns since the last change; the rate is nil where it is not known.
        case turns(Int, perSecond: Double?)
        /// No turn; what came is no new base.
        case still(perSecond: Double?)
        /// Not to be believed: what came is the new base.
        case implausible
    }

    /// - Parameters:
    ///   - turns: Since the last base; below 0 for a wheel that rolled back.
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
            // What turned in one packet's time is bounded all the same.
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

    /// Takes what came as the base of all that follows.
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
