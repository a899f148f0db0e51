/// Where the clock of a device was set while it recorded, and what its times were without that. See <doc:Durations>.
///
/// A gap of more than a day, and longer than all that the sessions took, is no pause: the clock was set. The times on the side of
/// the gap on which the sessions start stay, and the others move up to them. Without a stated duration only a gap of more than 30
/// days is one, and the times after it stay: a clock is set to the right time.
struct ClockJumps: Equatable, Sendable {
    private var gaps: [TimeSpan] = []
    private var anchor = 0.0
    private var isStated = false

    /// The clock was never set.
    init() {}

    init(_ stated: StatedWorkout) {
        let longest = stated.elapsed.map { max(LongestGaps.dayInSeconds, $0 + 60) } ?? Self.leastUnstatedInSeconds
        gaps = stated.gaps.spans.filter { $0.seconds > longest }.sorted { $0.start < $1.start }
        isStated = stated.elapsed != nil
        anchor = isStated ? stated.sessions.compactMap(\.start).min() ?? 0 : stated.samples?.upperBound ?? 0
    }

    var isEmpty: Bool { gaps.isEmpty }

    /// For people; nil if the clock was never set.
    var note: String? {
        guard let longest = gaps.map(\.seconds).max() else { return nil }
        let jump = "its times jump by \(WorkoutTimes.hours(longest)), "
        return isStated
            ? jump
                + "which is longer than its sessions took: the clock was set; the times on the other side of the jump were "
                + "moved to where the sessions started"
            : jump + "and it states no duration: the clock was set; the times before the jump were moved up to it"
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

    /// Shorter gaps may be pauses, if no duration is stated.
    private static let leastUnstatedInSeconds = 30 * LongestGaps.dayInSeconds
    /// From the last reading before a jump to the first one behind it.
    private static let stepInSeconds = 1.0
}
