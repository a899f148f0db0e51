import Foundation
import SessionLog
import Units

/// All that a writer knows about a workout before it writes the first byte: its times, its parts and laps with their
/// figures, its sensors, and the types that were measured. It grows with the number of laps, pauses, rests and types,
/// not of readings.
struct WorkoutOutline {
    struct Part {
        var activity: ActivityDescription
        var span: WorkoutSpan
        var metadata: [String: MetadataValue] = [:]
        /// The type of each channel in this part, chosen among several.
        var types: [TrackChannel: String] = [:]
    }

    struct Sensor {
        var status: SensorStatus
        var measures: Set<String> = []
    }

    /// The date from which a sum grows again after a rest: the start of a reading that does not follow the previous one
    /// of its type at once.
    struct Restart {
        var date: Date
        /// Whether the rest is so long that it needs a moment of its own in a file.
        var endsRest: Bool
    }

    private(set) var header: SessionHeader?
    private(set) var start: Date?
    private(set) var end: Date?
    private(set) var pauses = SessionPauses()
    /// The parts; at least one.
    private(set) var parts: [Part] = []
    private(set) var hasNamedParts = false
    /// Consecutive stretches: the laps, and the times between them.
    private(set) var stretches: [WorkoutSpan] = []
    private(set) var sensors: [Sensor] = []
    private(set) var wearer: WearerProfile?
    private(set) var metadata: [String: MetadataValue] = [:]
    private var effort: Double?
    /// Every measured type with its unit, in order of first readings.
    private(set) var types: [(name: String, unit: String)] = []
    private(set) var hasPositions = false
    private(set) var hasBeats = false
    /// Whether there are events of the kind `segment`: the lengths of a pool swim.
    private(set) var hasSegments = false

    private var typeIndices: [String: Int] = [:]
    /// The restarts of each type's sum, in order, by its index.
    private var restarts: [[Restart]] = []
    /// The date up to which each type was measured, by its index.
    private var measuredUntil: [Date] = []
    /// When the workout began or was resumed, which a file states by itself.
    private var runningSince = Date.distantPast
    private var conversions: [Int: UnitConversion] = [:]
    private var measured = KindCache<Measured>()
    private var held = HeldLap()
    private var counted = CountedEntries()
    /// The last kind of reading of each type, so that its sensor is noted only once.
    private var lastKinds: [ReadingKind?] = []
    private var lastBeatSensor: String?
    private var cuts: WorkoutStretches
    /// The starts of laps before which a stretch without a lap ends. An earlier survey found them.
    let lapStarts: [Date]
    /// The starts of such laps that this survey found besides.
    private(set) var foundLapStarts: [Date] = []
    private var cutoffs = HoldCutoffs()
    private var current = WorkoutSpan(start: .distantPast, end: .distantPast)
    private var latest = Date.distantPast
    private var isSettled = false

    /// How to count the readings of a kind.
    private struct Measured {
        /// Index into ``types``.
        var type: Int
        /// Nil if the unit does not fit the type.
        var conversion: UnitConversion?
        /// Whether the reading has the first unit of its type. Sensors that use another unit are not noted.
        var isUsual: Bool
        var addsUp: Bool
    }

    /// A rest of at least this length needs a moment of its own, and one before a lap is a stretch of its own.
    private static let shortestRestInSeconds = 1.0

    /// The name for RR intervals among the types that a sensor measures.
    static let beats = "beats"

    /// - Parameter lapStarts: What an earlier survey of the same entries found.
    init(lapStarts: [Date] = []) {
        cuts = WorkoutStretches(lapStarts: lapStarts)
        self.lapStarts = lapStarts
    }

    /// The watch, bike computer or app that recorded the workout; otherwise its first sensor.
    var recorder: DeviceDescription? {
        (sensors.first { $0.status.id == DeviceDescription.recorderID } ?? sensors.first)?.status.device
    }

    /// The title, notes and other labels of the workout.
    var labels: WorkoutLabels {
        var labels = WorkoutLabels(of: metadata)
        labels.effort = effort
        return labels
    }

    var activity: ActivityDescription { header?.activity ?? ActivityDescription() }

    /// The indices in ``types`` of those that are no channel, or not the one chosen for their part.
    var typesWithoutChannel: [Int] {
        types.indices.filter { type in
            parts.contains { part in
                part.span.types.indices.contains(type) && part.span.types[type].count > 0
                    && !part.types.values.contains(types[type].name)
            }
        }
    }

    // MARK: The first time

    mutating func survey(_ entry: SessionEntry) {
        guard !held.isEmpty || entry.isLap else { return count(entry) }
        var held = held
        self.held = HeldLap()
        held.take(entry) { count($0) }
        self.held = held
    }

    private mutating func count(_ entry: SessionEntry) {
        switch counted.take(entry) {
        case .all: take(entry)
        case .nothing: break
        case .parts(let parts): for part in parts { take(part) }
        }
    }

    /// The counted entries for the second pass, without the positions that were discarded.
    var countedEntries: CountedEntries {
        var counted = counted
        counted.begin()
        return counted
    }

    private mutating func take(_ entry: SessionEntry) {
        if entry.isPartOfWorkout { latest = max(latest, entry.date) }
        if parts.isEmpty, start == nil, entry.isPartOfWorkout { begin(at: entry.date) }
        if let cutoff = cutoffs.end(at: entry) { endHold(cutoff) }
        while let start = cuts.lapStart(before: entry) { endStretch(at: start, lap: nil) }
        switch cuts.take(entry) {
        case .none: break
        case .ended:
            noteStart(ofLap: entry)
            endStretch(at: entry.date, lap: entry)
        case .named: nameStretch(entry)
        case .part(let endsStretch): beginPart(entry, endsStretch: endsStretch)
        }
        switch entry.content {
        case .header(let header): self.header = self.header ?? header
        case .state(let phase): change(to: phase, at: entry.date)
        case .quantity(let reading): measure(reading)
        case .beats(let reading):
            hasBeats = true
            current.hasReadings = true
            if let sensor = reading.sensor, lastBeatSensor != sensor {
                lastBeatSensor = sensor
                note(sensor, measures: Self.beats)
            }
        case .position:
            hasPositions = true
            current.hasReadings = true
        case .event(let event): hasSegments = hasSegments || event.kind == .segment
        case .metadata(let values): metadata.merge(values) { _, later in later }
        case .sensor(let status): note(status)
        case .wearer(let profile): wearer = wearer ?? profile
        default: break
        }
    }

    private mutating func begin(at date: Date) {
        start = date
        current = WorkoutSpan(start: date, end: date)
        parts = [Part(activity: activity, span: WorkoutSpan(start: date, end: date))]
    }

    private mutating func change(to phase: SessionPhase, at date: Date) {
        pauses.change(to: phase, at: date)
        if phase == .running { runningSince = date }
        if phase.isOver { end = end ?? date }
    }

    /// Ends the hold of the last heart rate, unless another sensor measured it.
    private mutating func endHold(_ cutoff: HoldCutoff) {
        let sensor = typeIndices[QuantityReading.heartRateType].flatMap { lastKinds[$0]?.sensor }
        if cutoff.sensor == nil || cutoff.sensor == sensor { current.breakHold(at: cutoff.date) }
    }

    private mutating func measure(_ reading: QuantityReading) {
        guard reading.value.isFinite else { return }
        if reading.type == WorkoutLabels.effortType { effort = reading.value }
        let known = measured[reading.kind] ?? look(at: reading)
        guard let conversion = known.conversion else { return }
        var value = conversion(reading.value)
        if known.addsUp {
            noteRestart(of: known.type, reading)
            if reading.start < current.start { value -= addToEarlierStretches(value, of: reading, type: known.type) }
        }
        current.add(value, type: known.type)
        // 0 means that there was no heart rate.
        if reading.isHeartRate, reading.value > 0 { current.add(heartRate: conversion(reading.value), of: reading) }
        guard known.isUsual, lastKinds[known.type] !== reading.kind, let sensor = reading.sensor else { return }
        if lastKinds[known.type]?.sensor != sensor { note(sensor, measures: reading.type) }
        lastKinds[known.type] = reading.kind
    }

    /// Adds the shares of a value that belong to the time of stretches that have ended. Returns their sum.
    private mutating func addToEarlierStretches(_ value: Double, of reading: QuantityReading, type: Int) -> Double {
        let length = reading.end.timeIntervalSince(reading.start)
        var sum = 0.0
        var until = reading.end
        for index in stretches.indices.reversed() {
            guard length > 0, until > reading.start else { break }
            let from = max(reading.start, stretches[index].start)
            let share = max(0, min(until, stretches[index].end).timeIntervalSince(from)) / length * value
            until = min(until, from)
            guard share != 0 else { continue }
            stretches[index].add(share, type: type)
            parts[min(stretches[index].part, parts.count - 1)].span.add(share, type: type)
            sum += share
        }
        return sum
    }

    private mutating func noteRestart(of type: Int, _ reading: QuantityReading) {
        if reading.start > measuredUntil[type], reading.start < reading.end {
            let since = max(measuredUntil[type], runningSince)
            let endsRest = reading.start.timeIntervalSince(since) >= Self.shortestRestInSeconds
            restarts[type].append(Restart(date: reading.start, endsRest: endsRest))
        }
        measuredUntil[type] = max(measuredUntil[type], reading.end)
    }

    /// The restarts of a type's sum, in order.
    func restarts(of type: String) -> [Restart] { typeIndices[type].map { restarts[$0] } ?? [] }

    private mutating func look(at reading: QuantityReading) -> Measured {
        let type = index(of: reading)
        let isUsual = conversions[type] != nil && reading.unit == types[type].unit
        let conversion =
            isUsual ? conversions[type] : UnitConversion(from: reading.unit, to: unit(ofType: type))
        let found = Measured(
            type: type, conversion: conversion, isUsual: isUsual, addsUp: QuantityReading.addsUp(reading.type))
        measured.note(found, of: reading.kind)
        return found
    }

    /// Returns the unit for figures of a type: that of its channel, or of its first reading.
    private func unit(ofType type: Int) -> String {
        TrackChannel(type: types[type].name)?.unit ?? types[type].unit
    }

    private mutating func index(of reading: QuantityReading) -> Int {
        if let index = typeIndices[reading.type] { return index }
        let index = types.count
        types.append((reading.type, reading.unit))
        typeIndices[reading.type] = index
        lastKinds.append(nil)
        restarts.append([])
        measuredUntil.append(.distantPast)
        conversions[index] = UnitConversion(from: reading.unit, to: unit(ofType: index))
        return index
    }

    private mutating func note(_ sensor: String, measures type: String) {
        guard let index = sensors.firstIndex(where: { $0.status.id == sensor }) else { return }
        sensors[index].measures.insert(type)
    }

    private mutating func note(_ status: SensorStatus) {
        guard let index = sensors.firstIndex(where: { $0.status.id == status.id }) else {
            return sensors.append(Sensor(status: status))
        }
        var known = status
        known.batteryPercent = status.batteryPercent ?? sensors[index].status.batteryPercent
        sensors[index].status = known
    }

    // MARK: Parts and laps

    private mutating func endStretch(at date: Date, lap: SessionEntry?) {
        current.end = max(current.start, date)
        current.breakHold(at: current.end)
        current.part = parts.count - 1
        if let lap { current.name(lap) }
        stretches.append(current)
        add(current)
        current = WorkoutSpan(start: max(current.end, current.start), end: current.end)
    }

    private mutating func noteStart(ofLap entry: SessionEntry) {
        guard case .event(let event) = entry.content, event.start < event.end,
            activeSeconds(from: current.start, to: event.start) >= Self.shortestRestInSeconds
        else { return }
        foundLapStarts.append(event.start)
    }

    private mutating func nameStretch(_ lap: SessionEntry) {
        guard !stretches.isEmpty else { return }
        stretches[stretches.count - 1].name(lap)
    }

    private mutating func beginPart(_ entry: SessionEntry, endsStretch: Bool) {
        guard case .activityBegan(let record) = entry.content else { return }
        if endsStretch { endStretch(at: entry.date, lap: nil) }
        let isFirst = cuts.part == 0
        let begin = isFirst ? start ?? entry.date : entry.date
        let part = Part(
            activity: record.activity, span: WorkoutSpan(start: begin, end: entry.date), metadata: record.metadata)
        if isFirst {
            parts = [part]
        } else {
            parts[parts.count - 1].span.end = max(entry.date, parts[parts.count - 1].span.start)
            parts.append(part)
        }
        hasNamedParts = true
        current.start = begin
        current.end = begin
    }

    private mutating func add(_ span: WorkoutSpan) {
        var inner = span
        inner.activeSeconds = 0
        if !parts.isEmpty { parts[parts.count - 1].span.add(inner) }
    }

    // MARK: Between the two times

    /// Completes the outline after the last entry.
    mutating func settle() {
        guard !isSettled else { return }
        isSettled = true
        var held = held
        held.finish { count($0) }
        if start == nil { begin(at: Date(timeIntervalSinceReferenceDate: 0)) }
        let end = max(end ?? latest, start ?? latest)
        self.end = end
        let isLong = end.timeIntervalSince(current.start) > HeldLap.longestInSeconds
        if current.hasReadings || isLong || stretches.isEmpty { endStretch(at: end, lap: nil) }
        for index in parts.indices {
            if index == parts.count - 1 { parts[index].span.end = max(end, parts[index].span.start) }
            if !hasNamedParts { parts[index].activity = activity }
            parts[index] = settled(parts[index])
        }
        for index in stretches.indices {
            let part = min(stretches[index].part, parts.count - 1)
            for (channel, type) in parts[part].types {
                if let type = typeIndices[type] { stretches[index].settle(channel, type: type) }
            }
            stretches[index].activeSeconds = activeSeconds(from: stretches[index].start, to: stretches[index].end)
        }
    }

    private func settled(_ measured: Part) -> Part {
        var part = measured
        var found: [TrackChannel: [String]] = [:]
        for type in part.span.types.indices where part.span.types[type].count > 0 {
            let name = types[type].name
            guard let channel = TrackChannel(type: name), conversions[type] != nil else { continue }
            found[channel, default: []].append(name)
        }
        for (channel, names) in found {
            guard let name = TrackChannel.type(of: channel, among: names, in: part.activity.activity),
                let type = typeIndices[name]
            else { continue }
            part.types[channel] = name
            part.span.settle(channel, type: type)
        }
        part.span.activeSeconds = activeSeconds(from: part.span.start, to: part.span.end)
        return part
    }

    /// The stretches, of which the last one of each part lasts until the end of the part, for files in which every moment is
    /// in a lap. Only a few seconds can follow a part's last stretch: see ``HeldLap``.
    var stretchesWithoutRest: [WorkoutSpan] {
        var all = stretches
        for index in all.indices where !all.indices.contains(index + 1) || all[index + 1].part != all[index].part {
            let end = parts[min(all[index].part, parts.count - 1)].span.end
            guard all[index].end < end else { continue }
            all[index].end = end
            all[index].activeSeconds = activeSeconds(from: all[index].start, to: end)
        }
        return all
    }

    /// Returns the seconds outside the pauses.
    func activeSeconds(from start: Date, to end: Date) -> Double {
        guard start < end else { return 0 }
        return pauses.counted(from: start, to: end).reduce(0) {
            $0 + $1.upperBound.timeIntervalSince($1.lowerBound)
        }
    }
}

extension WorkoutSpan {
    /// Makes the stretch the lap of this entry. A lap without a length begins where the stretch does.
    fileprivate mutating func name(_ entry: SessionEntry) {
        guard case .event(let event) = entry.content else { return }
        isLap = true
        metadata = event.metadata
        if event.start < event.end { start = event.start }
        end = event.end
    }
}

extension SessionEntry {
    /// Whether the entry shows when the workout took place. Headers and sensors may have earlier dates.
    var isPartOfWorkout: Bool {
        switch content {
        case .state(let phase): phase == .running || phase == .paused || phase.isOver
        case .quantity, .beats, .position, .event, .activityBegan, .activityEnded: true
        default: false
        }
    }
}
