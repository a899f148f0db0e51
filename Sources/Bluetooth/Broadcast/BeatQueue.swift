import GATT

/// RR intervals that wait for the next packet.
///
/// A strap sends those of about a second with each heart rate. A recording may have many at once, such as the five of
/// a FIT message: they are spread over the next packets.
struct BeatQueue: Sendable, Equatable {
    /// The most that are kept; the oldest are dropped.
    static let capacity = 64
    /// The sum of a packet's intervals. A single longer one is sent too.
    static let ticksPerPacket = 2 * RRIntervals.ticksPerSecond

    private var waiting: [UInt16] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(milliseconds: [Double]) {
        waiting += milliseconds.map { RRIntervals.ticks(fromMilliseconds: $0) }.filter { $0 > 0 }
        if waiting.count > Self.capacity { waiting.removeFirst(waiting.count - Self.capacity) }
    }

    /// Takes the intervals of one packet, at most `limit`.
    mutating func takePacket(atMost limit: Int) -> RRIntervals {
        var intervals = RRIntervals()
        var sum = 0
        while let next = waiting.first, intervals.count < limit,
            intervals.isEmpty || sum + Int(next) <= Self.ticksPerPacket
        {
            sum += Int(next)
            intervals.append(next)
            waiting.removeFirst()
        }
        return intervals
    }

    mutating func removeAll() { waiting = [] }
}
