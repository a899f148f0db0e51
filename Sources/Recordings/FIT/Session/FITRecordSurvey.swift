/// What is known of an activity's records and RR intervals when they were looked over.
///
/// Of the records only numbers are kept, and those that step back in time where they are asked for. RR intervals are kept.
struct FITRecordSurvey: Sendable {
    /// Those with a time.
    private(set) var count = 0
    private(set) var times = FITTimeSample()
    private(set) var earliest: UInt32?
    private(set) var latest: UInt32?
    /// Those whose time is before that of the one before.
    private(set) var steps = 0
    private(set) var heartRate = ValueSummary()
    private(set) var hasPositions = false
    /// Counts of the device's distance, in cm.
    private(set) var distance = CountedDistanceSurvey(scale: 100)
    private(set) var firstDistance: UInt32?
    private(set) var lastDistance: UInt32?
    var intervalsInMilliseconds: [UInt16] = []
    /// Of records that were looked over apart, and are of one activity: only counts, times and heart rates are known.
    private(set) var isJoined = false
    /// Those that come after one of a later time, in order.
    private(set) var late: [FITRecord] = []
    private var last: UInt32 = 0

    /// The next record with a time.
    mutating func take(_ record: FITRecord, keepingLate keepsLate: Bool = false) {
        count += 1
        times.add(record.time)
        if record.time < last { steps += 1 }
        last = record.time
        if record.time >= latest ?? 0 {
            latest = record.time
            if earliest == nil { earliest = record.time }
        } else {
            earliest = min(earliest ?? record.time, record.time)
            if keepsLate { late.append(record) }
        }
        if record.hasHeartRate { heartRate.add(Double(record.heartRate)) }
        hasPositions = hasPositions || record.hasPosition
        if record.distance != FITRecord.none {
            if firstDistance == nil { firstDistance = record.distance }
            lastDistance = record.distance
            distance.add(Double(record.distance))
        }
    }

    mutating func sortLate() { late.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) } }

    /// Takes in the records of a file that follows.
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

/// Some of the times of records, spread evenly over them: all of them, as long as they are not many.
struct FITTimeSample: Sendable {
    private static let limit = 1 << 16

    private var times: [UInt32] = []
    private var count = 0
    /// Of so many one is kept.
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

    /// About so many of them, in the order of the records.
    func spread(_ number: Int) -> [UInt32] {
        stride(from: 0, to: count, by: max(count / number, 1)).map { times[$0 / step] }
    }
}
