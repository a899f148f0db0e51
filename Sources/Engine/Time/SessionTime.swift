package import Foundation
import Synchronization

/// The time of one session: a clock that cannot be set, dated by one anchor.
///
/// The wall clock may be set while a session runs: by hand, or from the network some minutes after a machine without a
/// battery has started. This changes neither the durations nor the dates of a session, which count from the anchor: the
/// wall clock's date at its start. Dates of the wall clock, as apps read them from `Date()` and as Bluetooth marks
/// arrivals, are taken back by as much as the clock was set forward since.
package final class SessionTime: TimeSource {
    /// The least difference of the wall clock that counts as a change. The two clocks are never read at exactly the
    /// same moment.
    package static let noticeableStepInSeconds = 0.5

    /// A change of the wall clock.
    package struct Step: Sendable, Equatable {
        /// When that was noticed, in this time.
        package var noticed: Date
        /// The size of the step: positive if the clock was set forward, negative if it was set back.
        package var seconds: Double
    }

    /// While the wall clock was not set again.
    private struct Stretch {
        /// Its start. Nil for the first.
        var step: Step?
        /// The last moment at which it is known not to have begun.
        var after: Date
        /// How far the wall clock is ahead of this time.
        var aheadInSeconds: Double
    }

    private let base: any TimeSource
    private let state: Mutex<State>

    private struct State {
        var anchor: Date
        var anchorUptime: Double
        /// In order. At least one.
        var stretches: [Stretch]
        /// The number of reported entries.
        var reported = 1
        /// When the clocks were last compared.
        var checked: Date

        init(_ wall: Date, _ uptime: Double, aheadInSeconds: Double = 0) {
            anchor = wall - aheadInSeconds
            anchorUptime = uptime
            checked = anchor
            stretches = [Stretch(after: .distantPast, aheadInSeconds: aheadInSeconds)]
        }

        func date(_ uptime: Double) -> Date { anchor + (uptime - anchorUptime) }
    }

    /// - Parameters:
    ///   - aheadInSeconds: By how much the wall clock was set forward before, while the session ran in another process.
    ///   - continued: Where the session's time was then, at least.
    package init(_ base: any TimeSource, aheadInSeconds: Double = 0, continuing continued: Date? = nil) {
        self.base = base
        let (wall, uptime) = base.reading()
        let ahead = continued.map { min(aheadInSeconds, wall.timeIntervalSince($0)) } ?? aheadInSeconds
        state = Mutex(State(wall, uptime, aheadInSeconds: ahead))
    }

    /// Sets the anchor again, because nothing of the session is dated yet.
    /// - Parameter wall: The start stated by the app. Nil for now.
    package func anchorAnew(atWall wall: Date?) {
        if let wall { base.begin(atWall: wall) }
        let (wall, uptime) = base.reading()
        state.withLock { $0 = State(wall, uptime) }
    }

    package func now() -> Date {
        let uptime = base.uptimeInSeconds
        return state.withLock { $0.date(uptime) }
    }

    package var uptimeInSeconds: Double { base.uptimeInSeconds }

    package func wall() -> Date { base.wall() }

    package func sleep(until date: Date) async throws {
        try await base.sleep(until: base.now() + date.timeIntervalSince(now()))
    }

    package var clock: any Clock<Duration> { base is SystemTime ? base.clock : TimeSourceClock(time: self) }

    // MARK: The wall clock is set

    /// Returns the changes since the last call.
    package func newSteps() -> [Step] {
        let reading = base.reading()
        return state.withLock { state in
            Self.compare(reading, &state)
            defer { state.reported = state.stretches.count }
            return state.stretches[state.reported...].compactMap(\.step)
        }
    }

    /// Whether dates of the wall clock are other dates in this time.
    package var isWallClockSet: Bool {
        if base.isApart { return true }
        let reading = base.reading()
        return state.withLock { state in
            Self.compare(reading, &state)
            return state.stretches.contains { $0.aheadInSeconds != 0 }
        }
    }

    /// A clock that was set back reads some dates twice: the later of the two moments is meant, unless it is still to come.
    package func date(atWall wall: Date) -> Date {
        let wall = base.date(atWall: wall)
        let reading = base.reading()
        return state.withLock { state in
            Self.compare(reading, &state)
            var latest = state.date(reading.uptimeInSeconds) + Self.noticeableStepInSeconds
            for stretch in state.stretches.reversed() {
                let date = wall - stretch.aheadInSeconds
                if date >= stretch.after, date <= latest { return date }
                latest = stretch.step?.noticed ?? latest
            }
            return wall - (state.stretches.last?.aheadInSeconds ?? 0)
        }
    }

    private static func compare(_ reading: (wall: Date, uptimeInSeconds: Double), _ state: inout State) {
        let now = state.date(reading.uptimeInSeconds)
        let ahead = reading.wall.timeIntervalSince(now)
        let seconds = ahead - (state.stretches.last?.aheadInSeconds ?? 0)
        if abs(seconds) >= noticeableStepInSeconds {
            let step = Step(noticed: now, seconds: seconds)
            state.stretches.append(Stretch(step: step, after: state.checked, aheadInSeconds: ahead))
        }
        state.checked = now
    }
}
