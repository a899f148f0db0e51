import Analytics
package import Foundation

/// The time of a session, and the place on it of dates that an app passes.
///
/// With live sensors it is this machine's time (see ``SessionTime``). In a replay it is the recording's time: it waits at
/// the session's start until collection begins, then runs at the replay's speed, and stops at the end of the activity.
/// An app that passes `Date()` means now, or a moment of wall time that it has noted, so such dates are converted from
/// wall time. Dates that come from the session itself, in callbacks, samples and events, are session time already.
package struct SessionTimeline: Sendable {
    package enum Pace: Sendable, Equatable {
        /// Session time is wall time.
        case wall
        /// Session time runs so many times faster than the wall clock.
        case times(Double)
        /// Session time jumps to each entry as soon as the previous one was processed.
        case jumping
    }

    package let pace: Pace
    /// The primary's clock, for a session that follows one on another machine.
    package var followed: FollowedClock?
    /// The start of a session that keeps the dates of its recording.
    package let fixedStart: Date?

    /// The start of the session, in session time.
    private var start: Date?
    /// The wall time at which the clock began to run.
    private var wallStart: Date?
    /// For a jumping clock: the session times that were reached, in order.
    private var reached: [(wall: Date, session: Date)] = []
    private var latest: Date?
    private var end: Date?
    /// The date at which a recovered session continues. Its clock waits there until it is started again.
    private var resumed: Date?

    package init(pace: Pace = .wall, fixedStart: Date? = nil) {
        self.pace = pace
        self.fixedStart = fixedStart
    }

    /// Session time when the wall clock reads `wall`.
    package func now(wall: Date) -> Date {
        if let end { return end }
        if let followed { return followed.now(wall: wall) }
        guard pace != .wall else { return wall }
        return date(atWall: wall) ?? fixedStart ?? wall
    }

    /// Returns the session time of a date that the app passed. `isKnown` returns whether the session has returned
    /// exactly this date before.
    package func sessionDate(for date: Date, wall: Date, isKnown: (Date) -> Bool) -> Date {
        if let followed { return isKnown(date) ? date : followed.date(atWall: date, now: wall) }
        guard pace != .wall, !isKnown(date) else { return date }
        guard let start else { return fixedStart ?? date }
        let first = wallStart ?? start
        // A date before the clock began to run, or in the future, was not read from the wall clock.
        guard date <= wall + SessionTime.noticeableStepInSeconds,
            date >= first.addingTimeInterval(-Self.settingUpInSeconds)
        else { return date }
        let mapped = self.date(atWall: min(date, wall)) ?? start
        return end.map { min($0, mapped) } ?? mapped
    }

    /// Continues a session that began at `start` and whose process ended at `date`.
    package mutating func resume(at date: Date, start: Date, wall: Date) {
        guard pace != .wall else { return }
        self.start = start
        resumed = date
        latest = date
        if pace == .jumping { reached = [(wall, date)] }
    }

    /// Time that may pass between an app's first `Date()` and the start of collection.
    private static let settingUpInSeconds = 60.0

    /// Notes that the session began at `date`.
    package mutating func sessionStarted(at date: Date) {
        start = start ?? date
    }

    /// Starts the clock, because sensors begin to measure.
    package mutating func clockStarted(wall: Date) {
        guard wallStart == nil else { return }
        wallStart = wall
        // As if it had run without a break.
        if case .times(let speed) = pace, let start, let resumed {
            wallStart = wall.addingTimeInterval(-resumed.timeIntervalSince(start) / speed)
        }
    }

    /// Notes an entry with this date.
    package mutating func advance(to date: Date, wall: Date) {
        followed?.advance(to: date, wall: wall)
        guard pace != .wall, latest.map({ date > $0 }) ?? true else { return }
        latest = date
        if pace == .jumping { reached.append((wall, date)) }
    }

    /// Stops the clock at the end of the activity.
    package mutating func sessionStopped(at date: Date) {
        end = end ?? date
    }

    private func date(atWall wall: Date) -> Date? {
        guard let start else { return nil }
        guard let wallStart, wall >= wallStart else { return resumed ?? start }
        switch pace {
        case .wall:
            return wall
        case .times(let speed):
            return start.addingTimeInterval(wall.timeIntervalSince(wallStart) * speed)
        case .jumping:
            let later = reached.partitioningIndex { $0.wall > wall }
            return later == 0 ? resumed ?? start : reached[later - 1].session
        }
    }
}
