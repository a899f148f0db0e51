/// Slows down machines whose attempts to pair fail after a code was shown. Pure: time comes in. Remembers a bounded number of
/// addresses.
struct PairingRateLimiter {
    typealias Instant = ContinuousClock.Instant

    static let remembered = 256
    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)
    /// After each failure nobody shows a code for so long: a person sees that the attempt is over, and nobody who ended it is the
    /// next to ask before they do.
    static let pause = Duration.seconds(3)
    /// Failures of all addresses together, after which every address waits for the longest time: somebody who has many
    /// addresses gets no more guesses than somebody who has one.
    static let crowd = 20

    private var failures: [String: (count: Int, until: Instant)] = [:]
    private var all = (count: 0, until: Instant?.none)

    /// How long this address must still wait; nil if it may try.
    func wait(_ address: String, at now: Instant) -> Duration? {
        let until = [failures[address]?.until, all.until].compactMap { $0 }.max()
        return until.flatMap { $0 > now ? $0 - now : nil }
    }

    mutating func failed(_ address: String, at now: Instant) {
        let count = (failures[address]?.count ?? 0) + 1
        let wait = min(Self.longestWait, Self.firstWait * Double(1 << min(count - 1, 10)))
        if failures[address] == nil, failures.count >= Self.remembered,
            let first = failures.min(by: { $0.value.until < $1.value.until })
        {
            failures[first.key] = nil
        }
        failures[address] = (count, now + wait)
        all.count += 1
        all.until = now + (all.count >= Self.crowd ? Self.longestWait : Self.pause)
    }
}
