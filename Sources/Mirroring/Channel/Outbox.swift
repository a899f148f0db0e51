/// The part of this side's log that is in memory: entries that wait for the network thread, or all entries if nobody else keeps them.
struct Outbox {
    /// The limit of appended entries that wait for the loop. Beyond it, they are read from the log again.
    static let pendingLimitInBytes = 1 << 18

    /// The number of the first entry that can still be sent, and of the last one.
    private(set) var first: UInt64
    private(set) var count: UInt64
    var isFinished = false
    var isClosed = false
    private let keeps: Bool
    /// All entries since `first`, if they are kept here.
    private var entries: [[UInt8]] = []
    /// The latest entries, which the network thread has not read yet.
    private var pending: [[UInt8]] = []
    private var pendingBytes = 0
    private var isDrainDue = false
    private var isOverflowing = false

    init(first: UInt64, count: UInt64, keeps: Bool) {
        self.first = first
        self.count = max(count, first - 1)
        self.keeps = keeps
    }

    /// Adds an entry. Returns its number (nil after the end), and whether to wake the network thread.
    mutating func append(_ entry: [UInt8]) -> (number: UInt64?, wakes: Bool) {
        guard !isFinished, !isClosed else { return (nil, false) }
        count += 1
        if keeps { entries.append(entry) }
        // An empty entry also needs bytes on the wire.
        pendingBytes += entry.count + 4
        if pendingBytes > Self.pendingLimitInBytes, !pending.isEmpty { isOverflowing = true }
        if isOverflowing {
            pending.removeAll()
        } else {
            pending.append(entry)
        }
        defer { isDrainDue = true }
        return (count, !isDrainDue)
    }

    /// Returns the entries appended since the last call. Empty if there are too many, so that they have to be read from
    /// the log.
    mutating func takePending() -> (first: UInt64, entries: [[UInt8]], isFinished: Bool) {
        defer {
            pending = []
            pendingBytes = 0
            isDrainDue = false
            isOverflowing = false
        }
        return (count - UInt64(pending.count) + 1, pending, isFinished)
    }

    /// Returns kept entries from this number on, at least one if there is one.
    func entries(from number: UInt64, bytes limit: Int) -> [[UInt8]] {
        guard keeps, number >= first, number <= count else { return [] }
        let start = Int(number - first)
        var end = start
        var bytes = 0
        while end < entries.count, bytes == 0 || bytes + entries[end].count + 4 <= limit {
            bytes += entries[end].count + 4
            end += 1
        }
        return Array(entries[start..<end])
    }

    /// Forgets kept entries that every peer has.
    mutating func trim(through number: UInt64) {
        guard keeps, number >= first, number <= count else { return }
        entries.removeFirst(Int(number - first) + 1)
        first = number + 1
    }
}
