/// How fast something added up, of readings over stretches of time: metres into metres a second, over ten seconds.
struct CoveredSpeed: Sendable {
    private(set) var trace = Trace()
    private var window: [(from: Double, to: Double, amount: Double)] = []
    /// A workout has one distance at a time; another one takes over when the first is silent.
    private var type: String?
    private var end = -Double.infinity
    static let windowInSeconds = 10.0
    private static let silenceInSeconds = 5.0
    /// What tells of a longer time does not tell how it was in it.
    private static let longestReadingInSeconds = 120.0

    mutating func add(_ amount: Double, from: Double, to: Double, of type: String) {
        guard from < to, amount >= 0 else { return }
        if let known = self.type, known != type, from < end + Self.silenceInSeconds { return }
        if self.type != type || from > end + Self.silenceInSeconds { interrupt() }
        self.type = type
        guard to - from <= Self.longestReadingInSeconds else { return interrupt() }
        end = to
        if to - from >= Self.windowInSeconds {
            window = []
            trace.add(amount / (to - from), at: from)
            trace.add(amount / (to - from), at: to)
            return
        }
        window.append((from, to, amount))
        while window.count > 1, to - window[1].from >= Self.windowInSeconds { window.removeFirst() }
        guard let first = window.first, to - first.from >= Self.windowInSeconds else { return }
        trace.add(window.reduce(0) { $0 + $1.amount } / (to - first.from), at: to)
    }

    mutating func interrupt() {
        trace.interrupt()
        window = []
    }
}
