package import Foundation

/// The primary's session time on a following machine, independent of both machines' clocks.
///
/// The greeting contains the primary's time, which relates the two clocks once. Later entries only advance it if
/// necessary. Clocks that differ by less than half a second count as the same: both are set from the network, and the
/// rest is the time that messages need.
package struct FollowedClock: Sendable, Equatable {
    package static let sameInSeconds = 0.5
    /// An entry further ahead than this was dated by an app, not by the primary's clock.
    package static let aheadInSeconds = 60.0

    /// How the primary's session time runs.
    package let pace: SessionTimeline.Pace
    private var reading: (date: Date, wall: Date)

    /// - Parameters:
    ///   - date: The primary's session time.
    ///   - wall: The time of this machine's clock at that moment.
    package init(pace: SessionTimeline.Pace, date: Date, wall: Date) {
        self.pace = pace
        reading = (date, wall)
    }

    /// Returns the session time when this machine's clock reads `wall`.
    package func now(wall: Date) -> Date {
        switch pace {
        case .wall: wall + difference
        case .times(let speed): reading.date + max(0, wall.timeIntervalSince(reading.wall)) * speed
        case .jumping: reading.date
        }
    }

    /// Returns the session time of a moment of this machine's clock, as an app reads it from `Date()`.
    package func date(atWall date: Date, now wall: Date) -> Date {
        switch pace {
        case .wall: return date + difference
        case .times, .jumping:
            // A date before the mirroring, or in the future, was not read from the clock.
            guard date <= wall + SessionTime.noticeableStepInSeconds, date >= reading.wall - Self.aheadInSeconds
            else { return date }
            return now(wall: min(date, wall))
        }
    }

    /// Notes an entry with this date.
    package mutating func advance(to date: Date, wall: Date) {
        let ahead = date.timeIntervalSince(now(wall: wall))
        switch pace {
        case .wall:
            if ahead > Self.sameInSeconds, ahead < Self.aheadInSeconds { reading = (date, wall) }
        case .times, .jumping:
            if date > reading.date { reading = (date, wall) }
        }
    }

    private var difference: TimeInterval {
        let difference = reading.date.timeIntervalSince(reading.wall)
        return abs(difference) < Self.sameInSeconds ? 0 : difference
    }

    package static func == (a: FollowedClock, b: FollowedClock) -> Bool { a.pace == b.pace && a.reading == b.reading }
}
