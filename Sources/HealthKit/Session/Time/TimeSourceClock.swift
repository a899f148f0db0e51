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
