/// How much data an app may send to the other side: 100 KB in any ten seconds, as Apple documents. Here 100 × 1,024 bytes.
package struct DataAllowance: Sendable {
    static let bytes = 100 * 1_024
    static let seconds = 10.0

    package init() {}

    private var sent: [(at: Date, bytes: Int)] = []

    /// Whether so much may be sent now; it then counts as sent.
    package mutating func take(_ count: Int, at now: Date) -> Bool {
        // A clock that was set back forgets nothing, and one that was set ahead everything.
        sent.removeAll { now.timeIntervalSince($0.at) >= Self.seconds }
        guard sent.reduce(count, { $0 + $1.bytes }) <= Self.bytes else { return false }
        sent.append((now, count))
        return true
    }
}
