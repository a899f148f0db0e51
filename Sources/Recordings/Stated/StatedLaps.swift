import Analytics

/// The times of laps and pool lengths, decided from what a file of any format states. See <doc:Durations>.
struct StatedLaps: Equatable, Sendable {
    struct Lap: Equatable, Sendable {
        /// Index into the laps or lengths that the file states.
        var index: Int
        var start: Double
        var end: Double
    }

    /// The laps in order of time.
    private(set) var laps: [Lap]
    /// The lengths in order of time.
    private(set) var lengths: [Lap]
    private let lapsOfLengths: [Int: Int]

    init(_ stated: StatedWorkout, _ times: WorkoutTimes) {
        laps = Self.placed(stated.laps, times)
        lengths = Self.placed(stated.lengths, times)
        lapsOfLengths = Self.lapsOfLengths(stated, laps, lengths)
        putLengthsIntoLaps()
    }

    /// Returns the lap that contains a length, or nil if there is none.
    func lap(of length: Lap) -> Int? { lapsOfLengths[length.index] }

    /// Returns the lap of each length. If every lap states its first length, the last lap whose first length is not
    /// later. Otherwise the lap that contains the middle of the length, or else the nearest one.
    private static func lapsOfLengths(_ stated: StatedWorkout, _ laps: [Lap], _ lengths: [Lap]) -> [Int: Int] {
        guard !laps.isEmpty else { return [:] }
        let firsts = laps.compactMap { stated.laps[$0.index].firstLength }
        let areStated = firsts.count == laps.count && zip(firsts, firsts.dropFirst()).allSatisfy { $0 <= $1 }
        var found: [Int: Int] = [:]
        for length in lengths {
            let middle = (length.start + length.end) / 2
            func distance(_ lap: Int) -> Double { max(laps[lap].start - middle, middle - laps[lap].end, 0) }
            if areStated {
                let next = firsts.partitioningIndex { $0 > length.index }
                if next > 0 { found[length.index] = next - 1 }
            } else {
                let next = laps.partitioningIndex { $0.start > middle }
                found[length.index] = [next - 1, next].filter(laps.indices.contains).min { distance($0) < distance($1) }
            }
        }
        return found
    }

    /// Ends each length no later than its lap, because it counts for that lap.
    private mutating func putLengthsIntoLaps() {
        for index in lengths.indices {
            guard let lap = lap(of: lengths[index]) else { continue }
            lengths[index].end = min(lengths[index].end, laps[lap].end)
            lengths[index].start = min(lengths[index].start, lengths[index].end)
        }
    }

    private static func placed(_ stretches: [StatedWorkout.Stretch], _ times: WorkoutTimes) -> [Lap] {
        let starts = starts(of: stretches, times)
        let order = stretches.indices.filter { starts[$0] != nil }
            .sorted { (starts[$0] ?? 0, $0) < (starts[$1] ?? 0, $1) }
        var placed: [Lap] = []
        var next: Double?
        var following = Double.infinity
        for index in order.reversed() {
            let start = starts[index] ?? times.start
            if start < following {
                next = following.isFinite ? following : nil
                following = start
            }
            let end = end(of: stretches[index], from: start, before: next, times)
            placed.append(Lap(index: index, start: times.clamped(start), end: times.clamped(max(start, end))))
        }
        return placed.reversed()
    }

    /// Returns the start of each stretch. A stated start outside the workout, or after the first reading of its lap, is
    /// ignored. Then the lap starts with that reading, or if it has none, where the lap before ended. Readings in a
    /// pause may belong to the lap that starts when the pause ends.
    private static func starts(of stretches: [StatedWorkout.Stretch], _ times: WorkoutTimes) -> [Double?] {
        var starts: [Double?] = []
        var previousEnd = times.start
        var previousStart = times.start
        for stretch in stretches {
            var start = stretch.start
            if let samples = stretch.samples {
                let isCredible = start.map {
                    $0 >= times.start && ($0 <= samples.lowerBound || times.isEndOfPause($0, from: samples.lowerBound))
                }
                if isCredible != true { start = samples.lowerBound }
            } else if let stated = start, let other = otherStart(of: stretch, stated, after: previousStart, times) {
                start = other
            } else if let stated = start, stated < times.start - 1 {
                start = previousEnd
            } else if let stated = start, stated > times.end + farInSeconds {
                start = previousEnd
            } else if let stated = start {
                start = min(stated, times.end)
            }
            if start == nil, stretch.written != nil { start = previousEnd }
            starts.append(start)
            guard let start else { continue }
            previousStart = max(previousStart, start)
            previousEnd = times.clamped(end(of: stretch, from: start, before: nil, times))
        }
        return starts
    }

    /// Returns the start of a lap whose stated start is wrong: outside the workout or before the start of the lap
    /// before, while the lap was written at another time than it states. Then the lap started its elapsed time before
    /// it was written. Nil if the stated start is right, or if this does not help.
    private static func otherStart(
        of stretch: StatedWorkout.Stretch, _ stated: Double, after previous: Double, _ times: WorkoutTimes
    ) -> Double? {
        guard stated < previous - overlapInSeconds || stated > times.end + 1, let written = stretch.written,
            let elapsed = stretch.elapsed, elapsed > 0
        else { return nil }
        let start = written - elapsed
        let isCredible = start >= previous - overlapInSeconds && written <= times.end + overlapInSeconds
        return isCredible && abs(start - stated) > 2 * overlapInSeconds ? max(start, times.start) : nil
    }

    /// Returns the end of a lap: when its elapsed time has passed. Without an elapsed time the lap ends with its last
    /// reading or when its time without pauses has passed, whichever is later; without either, when its message was
    /// written. It ends no later than the next lap begins. The last lap ends with its stated time if its last reading is less
    /// than a second later, because readings often have whole seconds.
    private static func end(
        of stretch: StatedWorkout.Stretch, from start: Double, before next: Double?, _ times: WorkoutTimes
    ) -> Double {
        let limit = next ?? .infinity
        let written = stretch.written.flatMap { $0 > start && $0 <= limit ? $0 : nil }
        if let elapsed = stretch.elapsed, elapsed > 0 {
            // Some devices count the rest before a lap as part of it.
            if start + elapsed > limit + overlapInSeconds, let written { return written }
            return min(start + elapsed, limit)
        }
        let counted = stretch.active.map { times.time(after: $0, from: start) }
        if next == nil, let counted, counted > start, let last = stretch.samples?.upperBound,
            (counted..<counted + 1).contains(last)
        {
            return counted
        }
        let ends = [stretch.samples?.upperBound, counted].compactMap { $0 }.filter { $0 > start }
        return ends.max().map { min($0, limit) } ?? written ?? start
    }

    /// The tolerance for overlaps, because starts are whole seconds and durations are not.
    private static let overlapInSeconds = 2.0
    /// A lap that starts later than this after the end was timed by another clock.
    private static let farInSeconds = 900.0
}
