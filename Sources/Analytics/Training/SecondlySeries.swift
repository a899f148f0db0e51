/// What was measured, second by second: the even series that curves and rolling means are defined on, of readings that come as
/// they like.
///
/// A reading of an instant holds until the next one, as in the averages, and where there is none within 30 s for its own second;
/// one of an interval (a distance, a length of a pool) holds over its interval. What no reading holds over is a gap, not a
/// value. Nothing is kept but the last reading.
public struct SecondlySeries: Sendable, Equatable {
    public static let holdLimitInSeconds = 30.0
    /// A reading of a longer interval does not tell how it was in a second of it.
    public static let longestReadingInSeconds = 120.0
    /// A reading that begins so soon after the last one ended follows it.
    private static let slackInSeconds = 1.0

    public enum Step: Sendable, Equatable {
        /// Of the second that begins so many seconds after the start.
        case value(Double, second: Int)
        /// What follows does not follow the last value.
        case gap
    }

    private var held: Held?
    private var next = 0

    public init() {}

    private struct Held: Sendable, Equatable {
        var value: Double
        var start: Double
        /// Until when it holds at most.
        var until: Double
        /// Until when it holds where nothing follows by then.
        var untilAlone: Double
    }

    /// Takes a value that was measured from `start` to `end`, in seconds since the start, and tells the seconds before it.
    public mutating func add(_ value: Double, from start: Double, to end: Double, _ step: (Step) -> Void) {
        guard value.isFinite, start >= 0, end >= start, end < 1e9 else { return }
        settle(at: start, isEnd: false, step)
        if held == nil { next = max(next, Int(start.rounded(.up))) }
        guard end - start <= Self.longestReadingInSeconds else {
            held = nil
            return step(.gap)
        }
        held =
            end > start
            ? Held(value: value, start: start, until: end, untilAlone: end)
            : Held(value: value, start: start, until: start + Self.holdLimitInSeconds, untilAlone: start + 1)
    }

    /// Nothing is held beyond this moment: a pause, the end, a sensor that went away.
    public mutating func interrupt(at seconds: Double, _ step: (Step) -> Void) {
        settle(at: seconds, isEnd: true, step)
    }

    /// Something else begins: what was measured before this moment does not reach beyond it. What was measured just then is of what
    /// begins, whichever was told first.
    public mutating func cut(at seconds: Double, _ step: (Step) -> Void) {
        guard let held, held.start >= seconds else { return interrupt(at: seconds, step) }
        step(.gap)
    }

    private mutating func settle(at seconds: Double, isEnd: Bool, _ step: (Step) -> Void) {
        guard let held, !seconds.isNaN else { return }
        let isFollowed = !isEnd && seconds - held.until <= Self.slackInSeconds
        let end = isFollowed || seconds <= held.until ? seconds : held.untilAlone
        while Double(next) < end {
            step(.value(held.value, second: next))
            next += 1
        }
        if !isFollowed {
            self.held = nil
            step(.gap)
        }
    }
}
