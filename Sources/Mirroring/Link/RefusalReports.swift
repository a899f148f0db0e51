#if Mirroring
/// Limits reports of refused connections to one line per origin and interval, so that nobody can flood the log. Pure: time is an input. It
/// remembers a bounded number of origins; all others count as one.
struct RefusalReports {
    typealias Instant = ContinuousClock.Instant

    static let interval = Duration.seconds(10)
    static let remembered = 64

    private var reported: [ConnectionOrigin?: (at: Instant, suppressed: Int)] = [:]

    /// Returns the line to write, if any. It counts the lines that were left out before it.
    mutating func line(_ text: String, from origin: ConnectionOrigin, at now: Instant) -> String? {
        if reported[origin] == nil, reported.count >= Self.remembered {
            reported = reported.filter { now - $0.value.at < Self.interval }
        }
        let key = reported[origin] != nil || reported.count < Self.remembered ? origin : nil
        let suppressed = reported[key]?.suppressed ?? 0
        if let last = reported[key]?.at, now - last < Self.interval {
            reported[key] = (last, suppressed + 1)
            return nil
        }
        reported[key] = (now, 0)
        return suppressed == 0 ? text : "\(text) (and \(suppressed) more since the last line)"
    }
}
#endif
