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
        let sessions = Set(stated.sessions.compactMap(\.start))
        laps = Self.fillingShortGaps(Self.placed(stated.laps, sessions: sessions, times), until: times.end)
        lengths = Self.placed(stated.lengths, sessions: sessions, times)
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

    /// Lets each lap last until the next one starts, or the last one until the end, if that is less than 2 s later.
    private static func fillingShortGaps(_ laps: [Lap], until end: Double) -> [Lap] {
        zip(laps, laterStarts(laps)).map { lap, next in
            let next = next ?? end
            guard (0..<roundingInSeconds).contains(next - lap.end) else { return lap }
            return Lap(index: lap.index, start: lap.start, end: next)
        }
    }

    /// Puts each length within its lap, because it counts for that lap.
    private mutating func putLengthsIntoLaps() {
        for index in lengths.indices {
            guard let lap = lap(of: lengths[index]) else { continue }
            lengths[index].end = min(max(lengths[index].end, laps[lap].start), laps[lap].end)
            lengths[index].start = min(max(lengths[index].start, laps[lap].start), lengths[index].end)
        }
    }

    /// A stretch starts when the elapsed time of the one before has passed, if it states to start within a second of that.
    ///
    /// - Parameter sessions: The starts of the sessions. Stretches that start with a session start when they state.
    private static func placed(
        _ stretches: [StatedWorkout.Stretch], sessions: Set<Double>, _ times: WorkoutTimes
    ) -> [Lap] {
        var placed = starts(of: stretches, times).enumerated().compactMap { index, start in
            start.map { Lap(index: index, start: $0, end: $0) }
        }
        placed.sort { ($0.start, $0.index) < ($1.start, $1.index) }
        let nexts = laterStarts(placed)
        for place in placed.indices {
            let (lap, next) = (placed[place], nexts[place])
            var end = end(of: stretches[lap.index], from: lap.start, before: next, times)
            if let next, placed[place + 1].start == next, !sessions.contains(next),
                let passed = stretches[lap.index].elapsed.map({ lap.start + $0 }), lap.start < passed,
                (0.001..<1).contains(abs(passed - next)), passed < nexts[place + 1] ?? .infinity
            {
                end = passed
                placed[place + 1].start = end
            }
            placed[place].start = times.clamped(lap.start)
            placed[place].end = times.clamped(max(lap.start, end))
        }
        return placed
    }

    /// Returns for each lap when the first one that starts later does. Nil if none does.
    private static func laterStarts(_ laps: [Lap]) -> [Double?] {
        var nexts = [Double?](repeating: nil, count: laps.count)
        for place in laps.indices.dropLast().reversed() {
            let following = laps[place + 1].start
            nexts[place] = following > laps[place].start ? following : nexts[place + 1]
        }
        return nexts
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
            if start == nil, stretch.written != nil || stretch.active != nil { start = previousEnd }
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
        guard stated < previous - roundingInSeconds || stated > times.end + 1, let written = stretch.written,
            let elapsed = stretch.elapsed, elapsed > 0
        else { return nil }
        let start = written - elapsed
        let isCredible = start >= previous - roundingInSeconds && written <= times.end + roundingInSeconds
        return isCredible && abs(start - stated) > 2 * roundingInSeconds ? max(start, times.start) : nil
    }

    /// Returns the end of a lap: when its elapsed time has passed. Without an elapsed time the lap ends with its last
    /// reading or when its time without pauses has passed, whichever is later; without either, when its message was
    /// written. It ends no later than the next lap begins.
    private static func end(
        of stretch: StatedWorkout.Stretch, from start: Double, before next: Double?, _ times: WorkoutTimes
    ) -> Double {
        let limit = next ?? .infinity
        let written = stretch.written.flatMap { $0 > start && $0 <= limit ? $0 : nil }
        if let elapsed = stretch.elapsed, elapsed > 0 {
            // Some devices count the rest before a lap as part of it.
            if start + elapsed > limit + roundingInSeconds, let written { return written }
            return min(start + elapsed, limit)
        }
        let ends = [stretch.samples?.upperBound, stretch.active.map { times.time(after: $0, from: start) }]
            .compactMap { $0 }.filter { $0 > start }
        return ends.max().map { min($0, limit) } ?? written ?? start
    }

    /// The tolerance for overlaps and gaps, because starts are whole seconds and durations are not.
    private static let roundingInSeconds = 2.0
    /// A lap that starts later than this after the end was timed by another clock.
    private static let farInSeconds = 900.0
}
