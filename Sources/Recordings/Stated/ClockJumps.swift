/// The jumps in time when the clock of a device was set during a recording, and the times without them. See
/// <doc:Durations>.
///
/// A gap that is longer than a day and longer than all sessions together is not a pause: the clock was set. The times
/// on the side of the gap on which the sessions start stay, and the others move next to them. If no duration is stated,
/// only a gap of more than 30 days counts, and the times after it stay, because a clock is set to the right time.
struct ClockJumps: Equatable, Sendable {
    private var gaps: [TimeSpan] = []
    private var anchor = 0.0
    private var isStated = false

    /// Creates the jumps of a clock that was never set: none.
    init() {}

    init(_ stated: StatedWorkout) {
        let longest = stated.elapsed.map { max(LongestGaps.dayInSeconds, $0 + 60) } ?? Self.leastUnstatedInSeconds
        gaps = stated.gaps.spans.filter { $0.seconds > longest }.sorted { $0.start < $1.start }
        isStated = stated.elapsed != nil
        anchor = isStated ? stated.sessions.compactMap(\.start).min() ?? 0 : stated.samples?.upperBound ?? 0
    }

    var isEmpty: Bool { gaps.isEmpty }

    /// A note for the user. Nil if the clock was never set.
    var note: String? {
        guard let longest = gaps.map(\.seconds).max() else { return nil }
        let jump = "its times jump by \(WorkoutTimes.hours(longest)), "
        return isStated
            ? jump
                + "which is longer than its sessions took: the clock was set; the times on the other side of the jump were "
                + "moved to where the sessions started"
            : jump + "and it states no duration: the clock was set; the times before the jump were moved up to it"
    }

    /// Returns the time without the jumps.
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

    /// Returns the number of jumps before this time.
    private func side(of seconds: Double) -> Int { gaps.count { seconds > ($0.start + $0.end) / 2 } }

    /// If no duration is stated, a shorter gap may be a pause.
    private static let leastUnstatedInSeconds = 30 * LongestGaps.dayInSeconds
    /// The time from the last reading before a jump to the first one after it.
    private static let stepInSeconds = 1.0
}
