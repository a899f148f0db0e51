/// The activities of a file: more than one where files are chained, or where sessions do not follow each other.
///
/// A chained file belongs to the activity before it when it holds none of its own (what a strap stored and delivered
/// afterwards), has no session, or goes on where that one ends. The sessions of a multisport activity follow each other, transitions
/// included; a session that begins later than that is another activity.
struct FITActivities: FITMessageReader {
    /// Sessions that begin so soon after the one before belong to the same activity.
    static let followingInSeconds = 60.0

    private var earlier: [FITActivity] = []
    private var current = FITActivity()
    private var hasBegun = false

    mutating func begin() {
        if hasBegun {
            earlier.append(current)
            current = FITActivity(after: current)
        }
        hasBegun = true
    }

    mutating func read(_ message: FITMessage) { current.read(message) }

    /// At least one, in order of time.
    consuming func activities() -> [FITActivity] {
        var joined: [FITActivity] = []
        for file in earlier + [current] {
            if let last = joined.last, !last.isActivity || !file.isActivity || file.follows(last) {
                joined[joined.count - 1].append(file)
            } else {
                joined.append(file)
            }
        }
        let parts = joined.flatMap { $0.separated() }
        guard parts.count > 1 else { return parts }
        return parts.enumerated().sorted {
            ($0.element.span?.start ?? 0, $0.offset) < ($1.element.span?.start ?? 0, $1.offset)
        }.map(\.element)
    }
}

extension FITActivity {
    var isActivity: Bool {
        !records.isEmpty || timelessRecords > 0 || !sessions.isEmpty || !laps.isEmpty || !lengths.isEmpty
            || !beats.isEmpty
    }

    /// From the first to the last thing that has a time; nil where nothing has.
    fileprivate var span: (start: Double, end: Double)? {
        guard let clock = FITClock(self) else { return nil }
        let sessions = sessions.compactMap { $0.span(clock) }
        let times = (records.map(\.time) + events.map(\.time)).compactMap(clock.seconds)
        guard let start = (sessions.map(\.start) + times).min(), let end = (sessions.map(\.end) + times).max() else {
            return nil
        }
        return (start, end)
    }

    /// Whether this is no activity of its own, but more of the one before. Two that have sessions and go on side by side
    /// are two: of two people, or of two devices.
    fileprivate func follows(_ before: FITActivity) -> Bool {
        guard let own = span, let last = before.span else { return true }
        let tolerance = FITActivities.followingInSeconds
        guard sessions.isEmpty || before.sessions.isEmpty else {
            return abs(own.start - last.end) <= tolerance || abs(last.start - own.end) <= tolerance
        }
        return own.start <= last.end + tolerance && last.start <= own.end + tolerance
    }

    /// Takes in what a file that follows holds.
    fileprivate mutating func append(_ later: FITActivity) {
        let firstRecord = records.count
        let firstInterval = intervalsInMilliseconds.count
        records += later.records
        timelessRecords += later.timelessRecords
        timelessHeartRates.add(later.timelessHeartRates)
        events += later.events
        sessions += later.sessions
        laps += later.laps
        lengths += later.lengths
        intervalsInMilliseconds += later.intervalsInMilliseconds
        beats += later.beats.map { beats in
            let intervals = beats.intervals
            return Beats(
                sequence: beats.sequence, record: beats.record + firstRecord,
                intervals: intervals.lowerBound + firstInterval..<intervals.upperBound + firstInterval)
        }
        memory.append(later.memory)
        devices.append(later.devices)
        timeCreated = timeCreated ?? later.timeCreated
        sport = later.sport ?? sport
        subSport = later.subSport ?? subSport
        localTime = later.localTime ?? localTime
    }

    // MARK: Sessions that do not follow each other

    /// An activity for every stretch of sessions that follow each other. What lies between two stretches belongs to the one
    /// that it is closer to; what has no usable time, to the first.
    fileprivate func separated() -> [FITActivity] {
        guard sessions.count > 1, let clock = FITClock(self) else { return [self] }
        let limits = limits(clock)
        guard !limits.isEmpty else { return [self] }
        func place(_ time: UInt32?) -> Int {
            guard let seconds = time.flatMap(clock.seconds) else { return 0 }
            return limits.firstIndex { seconds < $0 } ?? limits.count
        }
        var parts = [FITActivity](repeating: emptied, count: limits.count + 1)
        parts[0].timelessRecords = timelessRecords
        parts[0].timelessHeartRates = timelessHeartRates
        for index in parts.indices.dropFirst() { parts[index].memory.undated = 0 }
        for session in sessions { parts[place(session.start)].sessions.append(session) }
        for event in events { parts[place(event.time)].events.append(event) }
        for lap in laps { parts[place(lap.start ?? lap.end)].laps.append(lap) }
        for length in lengths { parts[place(length.start ?? length.end)].lengths.append(length) }
        separateRecords(into: &parts, place)
        var total: UInt32 = 0
        for index in parts.indices { parts[index].countDistance(onFrom: &total) }
        return parts
    }

    /// In the middle between two stretches of sessions.
    private func limits(_ clock: FITClock) -> [Double] {
        let spans = sessions.compactMap { $0.span(clock) }.sorted { $0.start < $1.start }
        guard var end = spans.first?.end else { return [] }
        var limits: [Double] = []
        for span in spans.dropFirst() {
            if span.start > end + FITActivities.followingInSeconds { limits.append((end + span.start) / 2) }
            end = max(end, span.end)
        }
        return limits
    }

    /// The same but for what has a time.
    private var emptied: FITActivity {
        var copy = self
        copy.records = []
        copy.timelessRecords = 0
        copy.timelessHeartRates = ValueSummary()
        copy.events = []
        copy.sessions = []
        copy.laps = []
        copy.lengths = []
        copy.beats = []
        copy.intervalsInMilliseconds = []
        return copy
    }

    private func separateRecords(into parts: inout [FITActivity], _ place: (UInt32?) -> Int) {
        var beats = beats[...]
        func takeBeats(after record: Int, into part: Int, _ parts: inout [FITActivity]) {
            while let next = beats.first, next.record <= record {
                let first = parts[part].intervalsInMilliseconds.count
                parts[part].intervalsInMilliseconds += intervalsInMilliseconds[next.intervals]
                parts[part].beats.append(
                    Beats(
                        sequence: next.sequence, record: parts[part].records.count - 1,
                        intervals: first..<first + next.intervals.count))
                beats.removeFirst()
            }
        }
        takeBeats(after: -1, into: 0, &parts)
        for (index, record) in records.enumerated() {
            let part = place(record.time)
            parts[part].records.append(record)
            takeBeats(after: index, into: part, &parts)
        }
    }

    /// The device's distance may begin anew with each activity, or count on; the activity's own total tells, or the count
    /// where there is none. `total`: what it was at the end of the activity before.
    private mutating func countDistance(onFrom total: inout UInt32) {
        let told = records.lazy.map(\.distance).filter { $0 != FITRecord.none }
        guard let first = told.first, let last = told.last else { return }
        let own = sessions.compactMap(\.distanceInCentimeters).reduce(0) { $0 + Int64($1) }
        let isOn = Int64(last) - Int64(total) - own
        let countsOn = own > 0 ? abs(isOn) < abs(Int64(last) - own) : total > 0 && first >= total
        if countsOn { distanceBefore = total }
        total = last
    }
}

extension FITActivity.Session {
    /// The time that a session says it took, or else when it was written.
    fileprivate func span(_ clock: FITClock) -> (start: Double, end: Double)? {
        guard let start = start.flatMap(clock.seconds) else { return nil }
        return (start, max(start, elapsedInSeconds.map { start + $0 } ?? end.flatMap(clock.seconds) ?? start))
    }
}
