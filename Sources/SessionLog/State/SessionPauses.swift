public import Foundation

/// The pauses of a session, as far as its log has been read, and the time outside them that counts.
///
/// This is the one rule for every reader of a log. An entry outside a pause in the log counts whatever its date:
/// devices write a reading or two after they have paused automatically, and their recordings have these before the
/// pause. An entry within a pause counts as far as its dates are before the pause. An entry after a pause does not
/// count as far as its dates are within it. The instants of a pause and of its resume do count.
public struct SessionPauses: Sendable, Equatable {
    /// A period that does not count; its first and last instants do.
    public struct Pause: Sendable, Equatable {
        /// The start on the session's timeline.
        public var start: Date
        /// The end. Nil while the pause lasts.
        public var end: Date?

        /// - Parameter end: Nil while the pause lasts.
        public init(start: Date, end: Date? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// The pauses in order. Only the last may be open.
    public private(set) var all: [Pause] = []
    private var phase = SessionPhase.notStarted

    /// Creates the pauses of a session that has not paused yet.
    public init() {}

    /// The start of the current pause. Nil if there is none.
    public var open: Date? { all.last.flatMap { $0.end == nil ? $0.start : nil } }

    /// Changes the state of the session. An impossible change has no effect.
    public mutating func change(to next: SessionPhase, at date: Date) {
        guard phase.canChange(to: next) else { return }
        if next == .paused { begin(at: date) }
        if next == .running, phase == .paused { end(at: date) }
        phase = next
    }

    /// Begins a pause, unless there is one already.
    public mutating func begin(at date: Date) {
        if open == nil { all.append(Pause(start: date)) }
    }

    /// Ends the current pause, not before its start. Does nothing if there is none.
    public mutating func end(at date: Date) {
        if let start = open { all[all.count - 1].end = max(date, start) }
    }

    // MARK: The part of an entry that counts

    /// Returns whether an event at this instant counts.
    public func counts(_ date: Date) -> Bool { countsWhole(from: date, to: date) }

    /// Returns whether all of the time from `start` to `end` counts.
    public func countsWhole(from start: Date, to end: Date) -> Bool {
        for pause in all.reversed() {
            guard let pauseEnd = pause.end else {
                if end > pause.start { return false }
                continue
            }
            if start >= pauseEnd { return true }
            if end > pause.start, pauseEnd > pause.start { return false }
        }
        return true
    }

    /// Returns the pieces of the time from `start` to `end` that count, in order. For an instant the result is that
    /// instant or nothing; otherwise no piece is empty.
    public func counted(from start: Date, to end: Date) -> [ClosedRange<Date>] {
        if countsWhole(from: start, to: end) { return [start...end] }
        var pieces: [ClosedRange<Date>] = []
        var rest = start
        for pause in all where pause.start < end {
            if let pauseEnd = pause.end, pauseEnd <= max(rest, pause.start) { continue }
            if rest < pause.start { pieces.append(rest...pause.start) }
            rest = pause.end ?? end
        }
        if rest < end { pieces.append(rest...end) }
        return pieces
    }
}
