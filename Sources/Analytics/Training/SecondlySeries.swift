/// Converts irregular readings to an even series of one value per second, on which curves and rolling means are
/// defined.
///
/// A reading of an instant holds until the next one, as in averages. If none follows within 30 s, it holds only for its
/// own second. A reading of an interval (a distance, a length of a pool) holds over its interval. Seconds without a
/// reading are a gap. Only the last reading is kept.
public struct SecondlySeries: Sendable, Equatable {
    public static let holdLimitInSeconds = 30.0
    /// A reading over a longer interval does not describe its single seconds.
    public static let longestReadingInSeconds = 120.0
    /// A reading that begins within this time after the last one ended follows it.
    private static let slackInSeconds = 1.0

    public enum Step: Sendable, Equatable {
        /// The value of the second that begins this many seconds after the start.
        case value(Double, second: Int)
        /// A break: the next value does not follow the last one.
        case gap
    }

    private var held: Held?
    private var next = 0

    public init() {}

    private struct Held: Sendable, Equatable {
        var value: Double
        var start: Double
        /// The latest time until which it holds.
        var until: Double
        /// The time until which it holds if no reading follows before `until`.
        var untilAlone: Double
    }

    /// Adds a value measured from `start` to `end`, in seconds since the start, and passes the seconds before it to
    /// `step`.
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

    /// Ends the current value at this moment: a pause, the end, a sensor that went away.
    public mutating func interrupt(at seconds: Double, _ step: (Step) -> Void) {
        settle(at: seconds, isEnd: true, step)
    }

    /// Ends the current value because something else begins. A value measured at exactly this moment belongs to what
    /// begins, whichever was reported first.
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
