import Foundation
import SessionLog

/// Holds back the entry of a lap until it is known whether more of that lap follows.
///
/// Devices write a record or two after the end of a lap, before the next part or the end of the workout. They belong to
/// that lap and are not a lap of their own. So if nothing else follows within a few seconds, the lap ends after them.
/// All other entries keep their order. Both passes over the entries use the same rule.
struct HeldLap {
    private var lap: SessionEntry?
    /// The entries after the lap.
    private var later: [SessionEntry] = []
    /// The start of the next part, after these. The last lap of the part before may come after it.
    private var part: SessionEntry?

    /// An entry later than this does not belong to the lap.
    static let longestInSeconds = 3.0

    /// Whether no lap is held. While one is held, all entries must go through ``take(_:_:)``.
    var isEmpty: Bool { lap == nil }

    /// Adds the next entry, and passes on those whose order is decided.
    mutating func take(_ entry: SessionEntry, _ body: (SessionEntry) -> Void) {
        if let part { release(lapFirst: entry.isLap(endingBy: part.date), body) }
        switch entry.content {
        case .event(let event) where event.kind == .lap:
            release(lapFirst: true, body)
            lap = entry
            return
        case .activityBegan where lap != nil && !isTooLate(entry):
            part = entry
            return
        case .activityBegan: release(lapFirst: true, body)
        case .state(let phase) where phase.isOver: release(lapFirst: isTooLate(entry), body)
        default: if isTooLate(entry) { release(lapFirst: true, body) }
        }
        if lap == nil { body(entry) } else { later.append(entry) }
    }

    /// Ends the entries and passes on those that are held.
    mutating func finish(_ body: (SessionEntry) -> Void) { release(lapFirst: false, body) }

    private func isTooLate(_ entry: SessionEntry) -> Bool {
        lap.map { entry.date.timeIntervalSince($0.date) > Self.longestInSeconds } ?? false
    }

    private mutating func release(lapFirst: Bool, _ body: (SessionEntry) -> Void) {
        guard let lap else { return }
        if lapFirst { body(lap) }
        for entry in later { body(entry) }
        if !lapFirst { body(lap) }
        if let part { body(part) }
        self.lap = nil
        part = nil
        later.removeAll(keepingCapacity: true)
    }
}

/// Puts laps that were added after their end where they ended, because a reading belongs to the lap whose entry comes next. Apps
/// add laps when a workout ends.
///
/// The first pass over the entries finds them, and the later ones put them in their places.
struct LateLaps {
    private var found: [SessionEntry] = []
    /// Those that have not come yet in this pass. Nil in the first one.
    private var waiting: ArraySlice<SessionEntry>?

    /// Whether there are such laps.
    var isEmpty: Bool { found.isEmpty }

    /// Begins the next pass.
    mutating func begin() {
        found.sort { $0.date < $1.date }
        waiting = found[...]
    }

    /// Passes on the entry, and the laps that ended before it.
    mutating func take(_ entry: SessionEntry, _ body: (SessionEntry) -> Void) {
        if case .event(let event) = entry.content, event.kind == .lap,
            entry.date.timeIntervalSince(event.end) > HeldLap.longestInSeconds
        {
            if waiting == nil { found.append(SessionEntry(event.end, entry.content)) }
            return
        }
        pass(endingBefore: entry.date, body)
        body(entry)
    }

    /// Passes on the laps that have not come yet.
    mutating func finish(_ body: (SessionEntry) -> Void) { pass(endingBefore: .distantFuture, body) }

    private mutating func pass(endingBefore date: Date, _ body: (SessionEntry) -> Void) {
        while let lap = waiting?.first, lap.date < date {
            waiting?.removeFirst()
            body(lap)
        }
    }
}

extension SessionEntry {
    var isLap: Bool { if case .event(let event) = content { event.kind == .lap } else { false } }

    fileprivate func isLap(endingBy date: Date) -> Bool {
        if case .event(let event) = content { event.kind == .lap && event.end <= date } else { false }
    }
}
