package import Analytics
package import Foundation

/// Everything that is known of a session: a pure fold over its log.
///
/// No I/O, no lock, no clock. The same entries give the same state, live, after a crash, in a replay and on the other
/// machine of a mirrored session; recovery and mirroring are no more than that. Entries that make no sense in their
/// place (a resume without a pause, a second start) change nothing, so every log has a state.
package struct SessionState: Sendable, Equatable {
    package private(set) var header: SessionHeader?
    package private(set) var phase = SessionPhase.notStarted
    /// When the session began to run.
    package private(set) var startDate: Date?
    /// When it was stopped, or ended without a stop.
    package private(set) var endDate: Date?
    package private(set) var collection = Collection.notBegun
    /// The interval of the builder's collection.
    package private(set) var collectionStart: Date?
    package private(set) var collectionEnd: Date?
    /// The pauses, and the parts of readings that count.
    package private(set) var pausing = SessionPauses()
    private var holdEnds = HoldCutoffs()
    /// The events of the workout, in order of their start.
    package private(set) var events: [EventRecord] = []
    package private(set) var metadata: [String: MetadataValue] = [:]
    /// The activities that were begun explicitly, in order.
    package private(set) var activities: [ActivityState] = []
    private var measured = MeasuredStates()
    package private(set) var beats = BeatStatistics()
    private var latestSensors = LatestSensors()
    package private(set) var wearer: WearerProfile?
    package private(set) var timeInZone: TimeInZone?
    /// The zones that entries of the log define.
    private var ownZones: [OwnZones] = []
    package private(set) var lastPosition: PositionReading?
    /// How far the wall clock was set since the session began: positive for forward, negative for back.
    package private(set) var clockSetInSeconds = 0.0
    /// The number of applied entries.
    package private(set) var entryCount = 0

    package init() {}

    package enum Collection: Sendable, Equatable {
        case notBegun
        case collecting(events: Bool)
        case ended, finished, discarded
    }

    /// The figures of each quantity type, by its name in the log.
    package var quantities: [String: QuantityState] { measured.byType }

    /// The present status of each, in order of arrival.
    package var sensors: [SensorStatus] { latestSensors.all }

    /// In order. Only the last may be open.
    package var pauses: [SessionPauses.Pause] { pausing.all }

    package mutating func apply(_ entry: SessionEntry) {
        entryCount += 1
        if let reading = entry.numbers, take(reading, at: entry.date) { return }
        applyOther(entry)
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func applyOther(_ entry: SessionEntry) {
        let date = entry.date
        if let end = holdEnds.end(at: entry) { endHolds(end) }
        switch entry.content {
        case .quantity(let reading): add(reading, at: date)
        case .beats(let reading): add(reading, at: date)
        case .position(let reading): if reading.isAdded || pausing.counts(date) { lastPosition = reading }
        case .routeDiscarded: if lastPosition?.isAdded == true { lastPosition = nil }
        case .state(let next): change(to: next, at: date)
        case .collection(let next): change(to: next, at: date)
        case .event(let event): add(event)
        case .activityBegan(let record): begin(record, at: date)
        case .activityMetadata(let id, let values): update(id, values)
        case .activityEnded: endActivity(at: date)
        case .metadata(let values): metadata.merge(values) { _, later in later }
        case .sensor(let status): note(status, at: date)
        case .header(let header): if self.header == nil { self.header = header }
        case .wearer(let profile): note(profile)
        case .zones(let record): note(record)
        case .category, .object, .notification, .waveform, .remoteData, .companion: break
        case .clockSet(let seconds): clockSetInSeconds += seconds
        }
    }
}

// MARK: - State and collection

extension SessionState {
    private mutating func change(to next: SessionPhase, at date: Date) {
        guard phase.canChange(to: next) else { return }
        let previous = phase
        phase = next
        switch next {
        case .notStarted, .prepared: break
        case .running where previous == .paused:
            closePause(at: date)
            record(EventRecord(.resume, start: date, end: date))
        case .running:
            startDate = date
        case .paused:
            openPause(at: date)
            record(EventRecord(.pause, start: date, end: date))
        case .stopped, .ended:
            finishRunning(at: date)
        }
    }

    private mutating func finishRunning(at date: Date) {
        endActivity(at: date)
        advanceZones(to: date)
        if endDate == nil, startDate != nil { endDate = date }
    }

    private mutating func change(to next: CollectionPhase, at date: Date) {
        switch (collection, next) {
        case (.notBegun, .began(let events)):
            collection = .collecting(events: events)
            collectionStart = date
        case (.collecting, .ended):
            collection = .ended
            collectionEnd = date
            // Without a session, nothing else ends the time in zones.
            if startDate == nil { advanceZones(to: date) }
        case (.ended, .finished):
            collection = .finished
        case (.notBegun, .discarded), (.collecting, .discarded), (.ended, .discarded):
            collection = .discarded
        default: break
        }
    }

    private mutating func openPause(at date: Date) {
        guard pausing.open == nil else { return }
        pausing.begin(at: date)
        updateZones(at: date) { $0.pause(at: $1) }
    }

    private mutating func closePause(at date: Date) {
        guard pausing.open != nil else { return }
        pausing.end(at: date)
        updateZones(at: date) { $0.resume(at: $1) }
    }

    /// The session's own events, which become the workout's if the builder wants them.
    private mutating func record(_ event: EventRecord) {
        if collection == .collecting(events: false) { return }
        insert(event)
    }

    /// An event that an app or a recording added. Without a session, these events define pauses.
    private mutating func add(_ event: EventRecord) {
        guard event.start <= event.end else { return }
        insert(event)
        guard startDate == nil else { return }
        switch event.kind {
        case .pause: openPause(at: event.start)
        case .resume: closePause(at: event.start)
        default: break
        }
    }

    private mutating func insert(_ event: EventRecord) {
        var index = events.endIndex
        while index > 0, events[index - 1].start > event.start { index -= 1 }
        events.insert(event, at: index)
    }
}

// MARK: - Readings

extension SessionState {
    /// Takes a reading that counts whole and is of the kind of the one before of its type, as nearly all are. False for any other:
    /// nothing of it was taken.
    private mutating func take(_ reading: ReadingNumbers, at date: Date) -> Bool {
        guard activities.isEmpty, reading.start <= date, reading.start <= reading.end,
            pausing.countsWhole(from: reading.start, to: reading.end)
        else { return false }
        let pause = holdEnds.openPause
        guard measured.add(reading, holdingUntil: pause) else { return false }
        if reading.isHeartRate, pause == nil { measuredHeartRate(reading.value, from: reading.start, at: date) }
        if !ownZones.isEmpty, pause == nil {
            noteZone(
                reading.value, of: reading.sharedKind._withUnsafeGuaranteedRef { $0.type }, from: reading.start,
                at: date)
        }
        return true
    }

    private mutating func noteZone(_ value: Double, of type: String, from start: Date, at date: Date) {
        guard let index = ownZones.firstIndex(where: { $0.record.type == type }) else { return }
        // Zero watts are in the first zone; to the zones of a heart rate they would be no signal.
        let counted = type == ZoneRecord.powerType ? max(value, .leastNormalMagnitude) : value
        let time = sinceStart(min(start, date))
        ownZones[index].time.measured(counted, at: time)
    }

    private mutating func measuredHeartRate(_ value: Double, from start: Date, at date: Date) {
        guard timeInZone != nil else { return }
        let time = sinceStart(min(start, date))
        timeInZone?.measured(value, at: time)
    }

    private mutating func add(_ reading: QuantityReading, at date: Date) {
        guard reading.start <= reading.end else { return }
        switch pausing.share(of: reading) {
        case .all: count(reading, at: date)
        case .nothing: break
        case .parts(let readings): for reading in readings { count(reading, at: date) }
        }
    }

    /// - Parameter date: The date of its entry in the log. A device writes a reading or two after an automatic pause.
    ///   They count, but the time of the pause does not.
    private mutating func count(_ reading: QuantityReading, at date: Date) {
        let pause = holdEnds.openPause
        measured.add(reading, holdingUntil: pause)
        if let index = activities.lastIndex(where: { $0.contains(reading) }) {
            activities[index].quantities[reading.type, default: QuantityState(reading)].add(
                reading, holdingUntil: pause)
        }
        if reading.isHeartRate, pause == nil { measuredHeartRate(reading.value, from: reading.start, at: date) }
        if !ownZones.isEmpty, pause == nil { noteZone(reading.value, of: reading.type, from: reading.start, at: date) }
    }

    private mutating func add(_ reading: BeatReading, at date: Date) {
        guard pausing.counts(date) else { return }
        // All that count, in the order in which they came: as the file's figures and those of the stored series.
        for interval in reading.intervalsInMilliseconds where interval > 0 && interval.isFinite { beats.add(interval) }
    }

    private mutating func endHolds(_ end: HoldCutoff) {
        measured.endHold(end)
        guard let last = activities.indices.last else { return }
        for type in activities[last].quantities.keys { activities[last].quantities[type]?.endHold(end) }
    }

    private mutating func note(_ status: SensorStatus, at date: Date) {
        latestSensors.note(status)
        guard status.presence != .present else { return }
        let time = sinceStart(date)
        func isLast(of type: String) -> Bool { measured[type]?.lastSensor == status.id }
        if isLast(of: QuantityReading.heartRateType) { timeInZone?.signalLost(at: time) }
        for index in ownZones.indices where isLast(of: ownZones[index].record.type) {
            ownZones[index].time.signalLost(at: time)
        }
    }

    private mutating func note(_ profile: WearerProfile) {
        wearer = profile
        guard timeInZone == nil, let zones = profile.heartRateZones else { return }
        timeInZone = TimeInZone(zones: zones)
    }

    func ownZones(of type: String) -> OwnZones? { ownZones.first { $0.record.type == type } }

    /// Zones count from the beginning of the workout. Later ones are taken if there are none and no value yet.
    private mutating func note(_ record: ZoneRecord) {
        let index = ownZones.firstIndex { $0.record.type == record.type }
        if collection != .notBegun, index != nil || measured[record.type] != nil { return }
        if let index { ownZones.remove(at: index) }
        if let zones = HeartRateZones(lowerBounds: record.upperBounds) {
            ownZones.append(OwnZones(record: record, time: TimeInZone(zones: zones)))
        }
    }
}

// MARK: - Activities

extension SessionState {
    private mutating func begin(_ record: ActivityRecord, at date: Date) {
        guard !phase.isOver else { return }
        endActivity(at: date)
        advanceZones(to: date)
        activities.append(ActivityState(record: record, start: date, zones: zones))
    }

    private mutating func update(_ id: UUID, _ values: [String: MetadataValue]) {
        guard let index = activities.lastIndex(where: { $0.record.id == id }) else { return }
        activities[index].record.metadata.merge(values) { _, later in later }
    }

    private mutating func endActivity(at date: Date) {
        guard let last = activities.last, last.end == nil else { return }
        activities[activities.count - 1].end = max(date, last.start)
        advanceZones(to: date)
        activities[activities.count - 1].zones = zones.map { zones in
            last.zones.first { $0.record == zones.record }.map { zones.since($0) } ?? zones
        }
    }

    /// Computes the figures of the activities again, from all readings of a log.
    package mutating func attributeReadings(of log: some SessionEntries) throws {
        guard !activities.isEmpty else { return }
        for index in activities.indices { activities[index].quantities = [:] }
        try log.forEach { entry in
            guard case .quantity(let reading) = entry.content else { return }
            for index in activities.indices where activities[index].contains(reading) {
                activities[index].quantities[reading.type, default: QuantityState(reading)]
                    .add(reading, holdingUntil: nil)
            }
        }
    }

    package var currentActivity: ActivityState? {
        activities.last.flatMap { $0.end == nil ? $0 : nil }
    }

    /// One activity of a workout and its own figures.
    package struct ActivityState: Sendable, Equatable {
        package internal(set) var record: ActivityRecord
        package let start: Date
        package internal(set) var end: Date?
        package internal(set) var quantities: [String: QuantityState] = [:]
        /// The time in zones: while the activity runs, that of the workout before it; then its own.
        package internal(set) var zones: [ZoneState] = []

        init(
            record: ActivityRecord, start: Date, end: Date? = nil, quantities: [String: QuantityState] = [:],
            zones: [ZoneState] = []
        ) {
            self.record = record
            self.start = start
            self.end = end
            self.quantities = quantities
            self.zones = zones
        }

        /// Cuts the activity to an interval. Returns false if it lies outside or has no end.
        package mutating func cut(to lower: Date, _ upper: Date) -> Bool {
            guard let end, start <= upper, end >= lower else { return false }
            self = ActivityState(
                record: record, start: max(start, lower), end: min(end, upper), quantities: quantities, zones: zones)
            return true
        }

        /// Whether the reading belongs to this activity: it began in it, or reaches into it from the one before.
        func contains(_ reading: QuantityReading) -> Bool {
            reading.end >= start && (end.map { reading.start < $0 } ?? true)
        }
    }

    /// The figures of all quantity types. A workout has few types and many readings: where the figures of a kind of readings are
    /// is looked up once.
    private struct MeasuredStates: Sendable, Equatable {
        private var types: [String] = []
        private var states: [QuantityState] = []
        private var places = KindCache<Int>()
        /// Of each type the kind of the latest reading, if that is in the unit of the figures.
        private var latestKinds: [ObjectIdentifier?] = []

        static func == (a: MeasuredStates, b: MeasuredStates) -> Bool { a.byType == b.byType }

        var byType: [String: QuantityState] { Dictionary(uniqueKeysWithValues: zip(types, states)) }

        subscript(type: String) -> QuantityState? { types.firstIndex(of: type).map { states[$0] } }

        mutating func add(_ reading: QuantityReading, holdingUntil breakDate: Date?) {
            let place = place(of: reading)
            states[place].add(reading, holdingUntil: breakDate)
            let isPlain = reading.value.isFinite && reading.unit == states[place].unit
            latestKinds[place] = isPlain ? ObjectIdentifier(reading.kind) : nil
        }

        /// False for a reading of another kind than the latest of its type. The cache retains the objects that it
        /// compares, so that no other kind gets their addresses.
        mutating func add(_ reading: ReadingNumbers, holdingUntil breakDate: Date?) -> Bool {
            guard reading.value.isFinite, let place = places[reading.kind], latestKinds[place] == reading.kind
            else { return false }
            states[place].add(reading.value, start: reading.start, end: reading.end, holdingUntil: breakDate)
            return true
        }

        mutating func endHold(_ end: HoldCutoff) {
            for place in states.indices { states[place].endHold(end) }
        }

        private mutating func place(of reading: QuantityReading) -> Int {
            if let known = places[reading.kind] { return known }
            let place = types.firstIndex(of: reading.type) ?? types.count
            if place == types.count {
                types.append(reading.type)
                states.append(QuantityState(reading))
                latestKinds.append(nil)
            }
            places.note(place, of: reading.kind)
            return place
        }
    }

    /// The figures of one quantity type, in the unit of its first reading.
    package struct QuantityState: Sendable, Equatable {
        package let unit: String
        package internal(set) var statistics: RunningStatistics
        /// The sensor that measured the latest value.
        package private(set) var lastSensor: String?

        init(_ reading: QuantityReading) {
            unit = reading.unit
            statistics = RunningStatistics(AveragingRule(ofType: reading.type))
        }

        mutating func add(_ reading: QuantityReading, holdingUntil breakDate: Date?) {
            guard let value = reading.value(in: unit) else { return }
            add(value, start: reading.start, end: reading.end, holdingUntil: breakDate)
            lastSensor = reading.sensor
        }

        /// A value in ``unit``, of the same sensor as the one before.
        fileprivate mutating func add(_ value: Double, start: Date, end: Date, holdingUntil breakDate: Date?) {
            statistics.add(value, start: start, end: end)
            if let breakDate { statistics.breakHold(at: breakDate) }
        }

        mutating func endHold(_ end: HoldCutoff) {
            if end.sensor == nil || end.sensor == lastSensor { statistics.breakHold(at: end.date) }
        }
    }
}

// MARK: - Time

extension SessionState {
    /// The interval of the workout: the builder's collection, or the session if nothing was collected.
    package var workoutStart: Date? { collectionStart ?? startDate }
    package var workoutEnd: Date? { collectionEnd ?? endDate }

    /// Time in zone counts from the workout's start.
    private mutating func updateZones(at date: Date, _ body: (inout TimeInZone, Duration) -> Void) {
        guard timeInZone != nil || !ownZones.isEmpty else { return }
        let time = sinceStart(date)
        if var zones = timeInZone {
            body(&zones, time)
            timeInZone = zones
        }
        for index in ownZones.indices { body(&ownZones[index].time, time) }
    }

    mutating func advanceZones(to date: Date) { updateZones(at: date) { $0.advance(to: $1) } }

    private func sinceStart(_ date: Date) -> Duration {
        Duration.seconds(workoutStart.map { date.timeIntervalSince($0) } ?? 0)
    }

    /// Seconds from the workout's start to `date` without pauses. 0 before the start. After the workout's end, its
    /// value at the end.
    package func activeSeconds(at date: Date) -> TimeInterval {
        guard let start = workoutStart else { return 0 }
        let end = workoutEnd.map { min($0, date) } ?? date
        guard end > start else { return 0 }
        let pauses = WorkoutPauses(pauses.lazy.map { ($0.start, $0.end) }, start: start, end: end)
        return pauses.activeSeconds(from: start, to: end)
    }
}
