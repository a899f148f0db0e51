public import Foundation

/// The pauses of a session as far as its log has told them, and what of the time around them counts.
///
/// The one rule for every reader of a log. What stands in the log outside a pause counts, however it is dated: devices
/// write a reading or two after they have paused by themselves, and their recordings have these ahead of the pause. What
/// stands within a pause counts as far as it is dated before it; what stands behind one does not count as far as it is
/// dated within. The instants of a pause and of its resume are outside.
public struct SessionPauses: Sendable, Equatable {
    /// A stretch of time that does not count; its two instants do.
    public struct Pause: Sendable, Equatable {
        /// On the session's time line.
        public var start: Date
        /// Nil while it lasts.
        public var end: Date?

        /// - Parameter end: Nil while the pause lasts.
        public init(start: Date, end: Date? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// In order; only the last may be open.
    public private(set) var all: [Pause] = []
    private var phase = SessionPhase.notStarted

    /// Of a session that has not paused yet.
    public init() {}

    /// When the pause began that lasts; nil where none does.
    public var open: Date? { all.last.flatMap { $0.end == nil ? $0.start : nil } }

    /// The session changed its state. A change that it cannot make changes nothing.
    public mutating func change(to next: SessionPhase, at date: Date) {
        guard phase.canChange(to: next) else { return }
        if next == .paused { begin(at: date) }
        if next == .running, phase == .paused { end(at: date) }
        phase = next
    }

    /// Begins a pause; nothing where one lasts already.
    public mutating func begin(at date: Date) {
        if open == nil { all.append(Pause(start: date)) }
    }

    /// Ends the pause that lasts, not before its start; nothing where none does.
    public mutating func end(at date: Date) {
        if let start = open { all[all.count - 1].end = max(date, start) }
    }

    // MARK: What counts of what the log says next

    /// Whether what happened at this instant counts.
    public func counts(_ date: Date) -> Bool { countsWhole(from: date, to: date) }

    /// Whether all of the time from `start` to `end` counts.
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

    /// What counts of the time from `start` to `end`, in order. Of an instant either itself or nothing; of a stretch of
    /// time no empty pieces.
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
