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
