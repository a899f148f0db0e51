import SessionLog

/// The activities of a file. There are several if files are chained, or if sessions do not follow each other.
///
/// A chained file belongs to the activity before it if it has no activity of its own (data that a strap stored and
/// delivered later), if it has no session, or if it continues where that activity ends. The sessions of a multisport
/// activity follow each other, with transitions between them; a session that begins later is another activity.
struct FITActivities: FITMessageReader {
    /// Sessions that begin within this time after the previous one belong to the same activity.
    static let followingInSeconds = 60.0

    private var earlier: [FITActivity] = []
    private var current = FITActivity()
    private var hasBegun = false

    mutating func begin(byte: Int) {
        if hasBegun { earlier.append(current) }
        current = FITActivity(byte: byte, after: earlier.last)
        hasBegun = true
    }

    mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
        current.define(local: local, number: number, developerFields: developerFields)
    }

    mutating func read(_ message: FITMessage) { current.read(message) }

    /// Returns the activities in order of time; at least one.
    ///
    /// - Parameters:
    ///   - source: The file, for results that need a second reading of the records.
    ///   - isSound: Whether the file had no faults.
    consuming func activities(of source: RecordingSource, isSound: Bool) throws(RecordingError) -> [FITActivity] {
        var joined: [FITActivity] = []
        for var file in earlier + [current] {
            file.extent.isSound = isSound
            guard let last = joined.last else {
                joined.append(file)
                continue
            }
            var isMore = !last.isActivity || !file.isActivity
            if !isMore { isMore = try file.follows(last, source) }
            if isMore { joined[joined.count - 1].append(file) } else { joined.append(file) }
        }
        var parts: [(activity: FITActivity, start: Double)] = []
        for activity in joined {
            for part in try activity.separated(source) { parts.append((part, 0)) }
        }
        guard parts.count > 1 else { return parts.map(\.activity) }
        for index in parts.indices { parts[index].start = try parts[index].activity.span(source)?.start ?? 0 }
        return parts.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element.activity)
    }
}

extension FITActivity {
    var isActivity: Bool {
        records.count > 0 || timelessRecords > 0 || !sessions.isEmpty || !laps.isEmpty || !lengths.isEmpty
            || !records.intervalsInMilliseconds.isEmpty
    }

    /// Returns the earliest and the latest time in the activity, or nil if nothing has a time.
    fileprivate func span(_ source: RecordingSource) throws(RecordingError) -> (start: Double, end: Double)? {
        guard let clock else { return nil }
        let records = try settledRecords(clock, source).records
        let sessions = sessions.compactMap { $0.span(clock) }
        let times = (events.map(\.time) + [records.earliest, records.latest].compactMap { $0 }).compactMap(
            clock.seconds)
        guard let start = (sessions.map(\.start) + times).min(), let end = (sessions.map(\.end) + times).max() else {
            return nil
        }
        return (start, end)
    }

    /// Returns whether this continues the activity before it. Two activities that have sessions and overlap stay two:
    /// they come from two people, or two devices.
    fileprivate func follows(_ before: FITActivity, _ source: RecordingSource) throws(RecordingError) -> Bool {
        guard let own = try span(source), let last = try before.span(source) else { return true }
        let tolerance = FITActivities.followingInSeconds
        guard sessions.isEmpty || before.sessions.isEmpty else {
            return abs(own.start - last.end) <= tolerance || abs(last.start - own.end) <= tolerance
        }
        return own.start <= last.end + tolerance && last.start <= own.end + tolerance
    }

    /// Adds the contents of the next file in the chain.
    fileprivate mutating func append(_ later: FITActivity) {
        extent.files += later.extent.files
        records.append(later.records)
        timelessRecords += later.timelessRecords
        timelessHeartRates.add(later.timelessHeartRates)
        events += later.events
        sessions += later.sessions
        laps += later.laps
        lengths += later.lengths
        memory.append(later.memory)
        devices.append(later.devices)
        unread.append(later.unread)
        hasOwnReadings = hasOwnReadings || later.hasOwnReadings
        labels = labels.completed(by: later.labels)
        texts.merge(later.texts) { _, later in later }
        timeCreated = timeCreated ?? later.timeCreated
        sport = later.sport ?? sport
        subSport = later.subSport ?? subSport
        localTime = later.localTime ?? localTime
        workoutID = workoutID ?? later.workoutID
    }

    // MARK: Sessions that do not follow each other

    /// Returns one activity for every run of sessions that follow each other. Data between two runs goes to the nearer
    /// one; data without a usable time goes to the first.
    fileprivate func separated(_ source: RecordingSource) throws(RecordingError) -> [FITActivity] {
        // A file that this package wrote is one workout, however far apart its sessions are.
        guard sessions.count > 1, workoutID == nil, let clock else { return [self] }
        let limits = limits(clock)
        guard !limits.isEmpty else { return [self] }
        let part = FITExtent.Part(clock: clock, limits: limits)
        var parts = [FITActivity](repeating: emptied, count: limits.count + 1)
        parts[0].timelessRecords = timelessRecords
        parts[0].timelessHeartRates = timelessHeartRates
        for index in parts.indices {
            parts[index].extent.part = FITExtent.Part(clock: clock, limits: limits, index: index)
            if index > 0 { parts[index].memory.undated = 0 }
        }
        for session in sessions { parts[part.index(of: session.start)].sessions.append(session) }
        for event in events { parts[part.index(of: event.time)].events.append(event) }
        for lap in laps { parts[part.index(of: lap.start ?? lap.end)].laps.append(lap) }
        for length in lengths { parts[part.index(of: length.start ?? length.end)].lengths.append(length) }
        try separateRecords(into: &parts, part, source)
        var total: UInt32 = 0
        for index in parts.indices { parts[index].countDistance(onFrom: &total) }
        return parts
    }

    /// The times halfway between two runs of sessions.
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

    /// A copy without the data that has times.
    private var emptied: FITActivity {
        var copy = self
        copy.records = FITRecordSurvey()
        copy.timelessRecords = 0
        copy.timelessHeartRates = ValueSummary()
        copy.events = []
        copy.sessions = []
        copy.laps = []
        copy.lengths = []
        return copy
    }

    private func separateRecords(
        into parts: inout [FITActivity], _ part: FITExtent.Part, _ source: RecordingSource
    ) throws(RecordingError) {
        let moments = try FITMoments(source, extent, clock: nil, memory: FITHeartRateMemory())
        var current = 0
        try moments.forEach { moment, intervals in
            switch moment {
            case .record(let record):
                current = part.index(of: record.time)
                parts[current].records.take(record)
            case .beats(let beats): parts[current].records.intervalsInMilliseconds += intervals[beats.range]
            case .developer: break
            }
        }
    }

    /// Decides whether the device's distance starts again with this activity or counts on. The total that the sessions
    /// state decides, or the count itself if they state none. `total` is the count at the end of the activity before.
    private mutating func countDistance(onFrom total: inout UInt32) {
        guard let first = records.firstDistance, let last = records.lastDistance else { return }
        let own = sessions.compactMap(\.distanceInCentimeters).reduce(0) { $0 + Int64($1) }
        let isOn = Int64(last) - Int64(total) - own
        let countsOn = own > 0 ? abs(isOn) < abs(Int64(last) - own) : total > 0 && first >= total
        if countsOn { distanceBefore = total }
        total = last
    }
}

extension FITActivity.Summary {
    /// The time from the start of the session to its stated duration, or else to when it was written.
    fileprivate func span(_ clock: FITClock) -> (start: Double, end: Double)? {
        guard let start = start.flatMap(clock.seconds) else { return nil }
        return (start, max(start, elapsedInSeconds.map { start + $0 } ?? end.flatMap(clock.seconds) ?? start))
    }
}
