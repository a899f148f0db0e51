/// Where the clock of a device was set while it recorded, and what its times were without that. See <doc:Durations>.
///
/// A gap of more than a day, and longer than all that the sessions took, is no pause: the clock was set. The times on the side of
/// the gap on which the sessions start stay, and the others move up to them.
struct ClockJumps: Equatable, Sendable {
    private var gaps: [TimeSpan] = []
    private var anchor = 0.0

    /// The clock was never set.
    init() {}

    init(_ stated: StatedWorkout) {
        guard let elapsed = stated.elapsed else { return }
        let longest = max(Self.leastInSeconds, elapsed + 60)
        gaps = stated.gaps.spans.filter { $0.seconds > longest }.sorted { $0.start < $1.start }
        anchor = stated.sessions.compactMap(\.start).min() ?? stated.samples?.lowerBound ?? 0
    }

    var isEmpty: Bool { gaps.isEmpty }

    /// For people; nil if the clock was never set.
    var note: String? {
        guard let longest = gaps.map(\.seconds).max() else { return nil }
        return
            "its times jump by \(WorkoutTimes.hours(longest)), which is longer than its sessions took: the clock was set; the "
            + "times on the other side of the jump were moved to where the sessions started"
    }

    /// The time without the jumps.
    func corrected(_ seconds: Double) -> Double {
        var shift = 0.0
        var bounded = seconds
        let own = side(of: anchor)
        let place = side(of: seconds)
        if place > 0 { bounded = max(bounded, gaps[place - 1].end - Self.stepInSeconds) }
        if place < gaps.count { bounded = min(bounded, gaps[place].start + Self.stepInSeconds) }
        for index in min(own, place)..<max(own, place) { shift += gaps[index].seconds - Self.stepInSeconds }
        return place > own ? bounded - shift : bounded + shift
    }

    /// How many jumps came before.
    private func side(of seconds: Double) -> Int { gaps.count { seconds > ($0.start + $0.end) / 2 } }

    /// Shorter gaps may be pauses.
    private static let leastInSeconds = 86_400.0
    /// From the last reading before a jump to the first one behind it.
    private static let stepInSeconds = 1.0
}
