package import Foundation

/// The source of time: the system, or a test that controls the clock.
package protocol TimeSource: Sendable {
    /// The wall clock, which may be set at any moment.
    func now() -> Date
    /// Seconds on a clock that cannot be set and that also runs while the machine sleeps. Its zero is not defined.
    var uptimeInSeconds: Double { get }
    /// Both clocks at one moment.
    func reading() -> (wall: Date, uptimeInSeconds: Double)
    /// Returns when the wall clock reads `date`, or at once if it already does. Throws `CancellationError`.
    func sleep(until date: Date) async throws
    /// The same time for what knows only clocks.
    var clock: any Clock<Duration> { get }
    /// The machine's wall clock.
    func wall() -> Date
    /// Returns when, in this time, the machine's wall clock read `wall`.
    func date(atWall wall: Date) -> Date
    /// A session begins at a date that an app read from the machine's wall clock. A stopped clock advances to it, so
    /// that the session begins exactly then and nothing in it is earlier.
    func begin(atWall wall: Date)
    /// Whether that is another date: the hands of this time are not those of the machine.
    var isApart: Bool { get }
}

extension TimeSource {
    package var uptimeInSeconds: Double { now().timeIntervalSinceReferenceDate }
    package func reading() -> (wall: Date, uptimeInSeconds: Double) { (now(), uptimeInSeconds) }
    package var clock: any Clock<Duration> { TimeSourceClock(time: self) }
    package func wall() -> Date { now() }
    package func date(atWall wall: Date) -> Date { wall }
    package func begin(atWall wall: Date) {}
    package var isApart: Bool { false }
}

/// The machine's own clocks.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    /// Some moment of this process, on the kernel's boot-time clock.
    private static let origin = ContinuousClock.now

    package var uptimeInSeconds: Double { Self.origin.duration(to: .now) / .seconds(1) }

    /// The two clocks are read one after the other: again, when something came in between.
    package func reading() -> (wall: Date, uptimeInSeconds: Double) {
        var before = uptimeInSeconds
        var wall = now()
        var after = uptimeInSeconds
        var attempts = 0
        while after - before > 0.01, attempts < 5 {
            (before, wall, after) = (after, now(), uptimeInSeconds)
            attempts += 1
        }
        return (wall, (before + after) / 2)
    }

    package func sleep(until date: Date) async throws {
        let seconds = date.timeIntervalSinceNow
        guard seconds > 0 else { return try Task.checkCancellation() }
        try await Task.sleep(for: .seconds(seconds))
    }

    /// The clock that cannot be set and that also runs while the machine sleeps.
    package var clock: any Clock<Duration> { ContinuousClock() }
}

/// A ``TimeSource`` as a clock, for code that takes clocks.
struct TimeSourceClock: Clock {
    let time: any TimeSource

    struct Instant: InstantProtocol {
        var date: Date

        func advanced(by duration: Duration) -> Instant { Instant(date: date + duration / .seconds(1)) }
        func duration(to other: Instant) -> Duration { .seconds(other.date.timeIntervalSince(date)) }
        static func < (a: Instant, b: Instant) -> Bool { a.date < b.date }
    }

    var now: Instant { Instant(date: time.now()) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await time.sleep(until: deadline.date)
    }
}
