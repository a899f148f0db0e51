/// Finds where a count starts again: it falls to less than half and continues from there.
///
/// It holds only as many counts as a wrong number may last.
struct CountResets: Sendable {
    static let leastInMeters = 50.0
    /// A wrong number is corrected within this many counts.
    private static let longestFault = 600

    struct Reset: Sendable {
        var index: Int
        /// The count before the reset.
        var before: Double
    }

    private let leastBefore: Double
    private let leastJump: Double
    private var resets: [Reset] = []
    private var highest = 0.0
    /// The last upward jump of the count, and the count before it.
    private var jump: (index: Int, before: Double)?
    /// The index of the next count that is not yet decided.
    private var index = 0
    private var previous = 0.0
    /// The counts since a fall, until its meaning is known.
    private var waiting: [Double] = []
    /// The number of these that are not a jump back.
    private var searched = 0

    init(leastBefore: Double, scale: Double) {
        self.leastBefore = leastBefore
        leastJump = Self.leastInMeters * scale
    }

    mutating func add(_ count: Double) {
        if waiting.isEmpty, !isFall(count) { return take(count) }
        waiting.append(count)
        resolve(isOver: false)
    }

    mutating func finish() -> [Reset] {
        resolve(isOver: true)
        return resets
    }

    private func isFall(_ count: Double) -> Bool { count < highest / 2 && highest >= leastBefore }

    private mutating func take(_ count: Double) {
        if index > 0, count > highest, count - highest > count / 2 { jump = (index, highest) }
        highest = max(highest, count)
        previous = count
        index += 1
    }

    private mutating func resolve(isOver: Bool) {
        var next = 0
        while next < waiting.count {
            let count = waiting[next]
            if isFall(count) {
                if let jump, jump.before >= leastJump, count >= jump.before, index - jump.index < Self.longestFault {
                    highest = jump.before
                } else if let back = jumpBack(after: next) {
                    // The counts in between were wrong.
                    index += back - next
                    next = back
                    searched = 0
                    take(waiting[next])
                    next += 1
                    continue
                } else if isOver || waiting.count - next >= Self.longestFault {
                    resets.append(Reset(index: index, before: previous))
                    highest = 0
                } else {
                    break
                }
            }
            searched = 0
            take(count)
            next += 1
        }
        waiting.removeFirst(next)
    }

    /// Returns where the count soon jumps back to its earlier level, or nil if it does not.
    private mutating func jumpBack(after next: Int) -> Int? {
        let end = min(waiting.count, next + Self.longestFault)
        var later = next + max(1, searched)
        while later < end {
            if waiting[later] - waiting[later - 1] > highest / 2 { return later }
            later += 1
        }
        searched = later - next
        return nil
    }
}
