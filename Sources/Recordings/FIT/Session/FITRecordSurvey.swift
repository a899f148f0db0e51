import Analytics
import SessionLog

/// Facts about the records and RR intervals of an activity after a first reading.
///
/// Of the records it keeps only figures, and on request those that step back in time. It keeps all RR intervals.
struct FITRecordSurvey: Sendable {
    /// The number of records with a time.
    private(set) var count = 0
    private(set) var times = FITTimeSample()
    private(set) var earliest: UInt32?
    private(set) var latest: UInt32?
    /// The number of records whose time is before that of the previous one.
    private(set) var steps = 0
    private(set) var heartRate = ValueSummary()
    private(set) var hasPositions = false
    private(set) var hasAltitudes = false
    /// The device's counts of the distance, in cm.
    private(set) var distance = CountedDistanceSurvey(scale: 100)
    private(set) var firstDistance: UInt32?
    /// The time of the first count.
    private(set) var firstDistanceTime: UInt32?
    private(set) var lastDistance: UInt32?
    var intervalsInMilliseconds: [UInt16] = []
    /// Whether this was joined from separate surveys of one activity. Then only counts, times and heart rates are
    /// known.
    private(set) var isJoined = false
    /// The records that come after one with a later time, sorted.
    private(set) var late: [FITRecord] = []
    private var last: UInt32 = 0
    /// The longest times without a record, in times of the device.
    private var gaps = LongestGaps()

    /// Adds the next record with a time.
    mutating func take(_ record: FITRecord, keepingLate keepsLate: Bool = false) {
        count += 1
        times.add(record.time)
        if record.time < last { steps += 1 }
        last = record.time
        if record.time >= latest ?? 0 {
            if let latest, record.time - latest >= Self.leastGap { note(gapUntil: record.time, since: latest) }
            latest = record.time
            if earliest == nil { earliest = record.time }
        } else {
            earliest = min(earliest ?? record.time, record.time)
            if keepsLate { late.append(record) }
        }
        if record.hasHeartRate { heartRate.add(Double(record.heartRate)) }
        hasPositions = hasPositions || record.hasPosition
        hasAltitudes = hasAltitudes || record.altitude != FITRecord.none
        if record.distance != FITRecord.none {
            if firstDistance == nil { (firstDistance, firstDistanceTime) = (record.distance, record.time) }
            lastDistance = record.distance
            distance.add(Double(record.distance))
        }
    }

    private static let leastGap = UInt32(LongestGaps.longInSeconds)

    private mutating func note(gapUntil time: UInt32, since latest: UInt32) {
        gaps.add(TimeSpan(start: Double(latest), end: Double(time)))
    }

    /// Returns the longest times without a record, in seconds of the clock. Gaps that late records fill are not among
    /// them.
    func gaps(_ clock: FITClock) -> LongestGaps {
        LongestGaps(
            gaps.spans.compactMap { gap -> TimeSpan? in
                let filled = late.partitioningIndex { Double($0.time) >= gap.end }
                let start = filled > 0 ? max(gap.start, Double(late[filled - 1].time)) : gap.start
                guard let from = clock.seconds(UInt32(start)), let to = clock.seconds(UInt32(gap.end)) else {
                    return nil
                }
                return TimeSpan(start: from, end: to)
            })
    }

    mutating func sortLate() { late.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) } }

    /// Adds the records of the next file in the chain.
    mutating func append(_ later: FITRecordSurvey) {
        let intervals = intervalsInMilliseconds + later.intervalsInMilliseconds
        defer { intervalsInMilliseconds = intervals }
        guard later.count > 0 else { return }
        guard count > 0 else {
            self = later
            return
        }
        count += later.count
        times.append(later.times)
        heartRate.add(later.heartRate)
        isJoined = true
    }
}

/// A sample of the times of records, evenly spread over them. It has all of them until there are too many.
struct FITTimeSample: Sendable {
    private static let limit = 1 << 16

    private var times: [UInt32] = []
    private var count = 0
    /// One time in this many is kept.
    private var step = 1
    private var untilNext = 0

    mutating func add(_ time: UInt32) {
        count += 1
        if untilNext == 0 {
            if times.count == Self.limit { thinOut() }
            if untilNext == 0 {
                times.append(time)
                untilNext = step
            }
        }
        untilNext -= 1
    }

    private mutating func thinOut() {
        for index in 0..<times.count / 2 { times[index] = times[2 * index] }
        times.removeLast(times.count - times.count / 2)
        step *= 2
    }

    mutating func append(_ later: FITTimeSample) {
        for (index, time) in later.times.enumerated() {
            for _ in 0..<Swift.min(later.step, later.count - index * later.step) { add(time) }
        }
    }

    /// Returns about `number` of the times, in the order of the records.
    func spread(_ number: Int) -> [UInt32] {
        stride(from: 0, to: count, by: max(count / number, 1)).map { times[$0 / step] }
    }
}
