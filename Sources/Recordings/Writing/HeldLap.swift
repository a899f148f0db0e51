import Foundation
import SessionLog

/// Holds the entry of a lap back until it is known whether more of that lap follows.
///
/// Devices write a record or two after the end of a lap, before the next part or the end of the workout. They are part of that lap,
/// and no lap of their own. So if nothing but that follows within a few seconds, the lap ends behind them. Everything else stays in
/// its order. The same both times that entries are taken.
struct HeldLap {
    private var lap: SessionEntry?
    /// What came behind it.
    private var later: [SessionEntry] = []

    /// What comes later is no more of the lap.
    static let longestInSeconds = 5.0

    /// Whether a lap waits: all entries have to go through ``take(_:_:)`` then.
    var isEmpty: Bool { lap == nil }

    /// Takes the next entry, and hands out those that have their place.
    mutating func take(_ entry: SessionEntry, _ body: (SessionEntry) -> Void) {
        switch entry.content {
        case .event(let event) where event.kind == .lap:
            release(lapFirst: true, body)
            lap = entry
            return
        case .activityBegan: release(lapFirst: false, body)
        case .state(let phase) where phase.isOver: release(lapFirst: false, body)
        default:
            if let lap, entry.date.timeIntervalSince(lap.date) > Self.longestInSeconds { release(lapFirst: true, body) }
        }
        if lap == nil { body(entry) } else { later.append(entry) }
    }

    /// There are no more entries.
    mutating func finish(_ body: (SessionEntry) -> Void) { release(lapFirst: false, body) }

    private mutating func release(lapFirst: Bool, _ body: (SessionEntry) -> Void) {
        guard let lap else { return }
        if lapFirst { body(lap) }
        for entry in later { body(entry) }
        if !lapFirst { body(lap) }
        self.lap = nil
        later.removeAll(keepingCapacity: true)
    }
}

extension SessionEntry {
    var isLap: Bool { if case .event(let event) = content { event.kind == .lap } else { false } }
}
