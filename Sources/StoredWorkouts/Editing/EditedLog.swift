import SessionLog

// Cuts and joins the logs of stored workouts (``StoredWorkoutEntries``), and converts them to another sport. Pure:
// entries are inputs and outputs.

extension [SessionEntry] {
    /// Returns the part of a workout's log from one date to another, as the log of a separate workout.
    ///
    /// Readings that reach beyond an end are cut: a cumulative reading counts by its share of the time. States at the
    /// start (a pause, a leg, sensors that were away) continue from there.
    /// - Parameters:
    ///   - end: The end of the part. Moments at the end belong to the part only if no other part follows.
    ///   - isLast: Whether no other part follows.
    func part(from start: Date, to end: Date, isLast: Bool) -> [SessionEntry] {
        var cut = LogCut(start: start, end: end, isLast: isLast, leg: leg(at: start))
        for entry in self { cut.take(entry) }
        return cut.finish()
    }

    /// The leg that goes on or begins at a date. One that goes on is another leg after the cut.
    private func leg(at date: Date) -> ActivityRecord? {
        var leg: ActivityRecord?
        for entry in self where entry.date <= date {
            switch entry.content {
            case .activityBegan(let record):
                leg = entry.date < date ? ActivityRecord(id: UUID(), activity: record.activity) : record
                leg?.metadata = record.metadata
            case .activityEnded: leg = nil
            default: break
            }
        }
        return leg
    }

    /// Joins the logs of consecutive workouts. The time between two of them becomes a pause, with a pause at its ends.
    static func joined(_ logs: [[SessionEntry]]) -> [SessionEntry] {
        let haveLegs = logs.contains(where: \.hasLegs)
        var joined: [SessionEntry] = []
        var sensors = SensorNames()
        var end: Date?
        var isPaused = false
        /// Where the present log begins, if the one before ended in a pause.
        var resumption: Int?
        for (number, log) in logs.enumerated() {
            var hasBegun = false
            sensors.beginLog()
            for entry in log {
                switch entry.content {
                case .header, .metadata: if number == 0 { joined.append(entry) }
                case .state(.running) where !hasBegun:
                    hasBegun = true
                    if let end, end < entry.date, !isPaused {
                        joined.append(SessionEntry(end, .state(.paused)))
                        isPaused = true
                    }
                    resumption = isPaused ? joined.count : nil
                    isPaused = false
                    joined.append(entry)
                    if haveLegs, !log.hasLegs, case .header(let header)? = log.first?.content {
                        let leg = ActivityRecord(id: UUID(), activity: header.activity)
                        joined.append(SessionEntry(entry.date, .activityBegan(leg)))
                    }
                case .state(let phase) where phase.isOver:
                    end = entry.date
                    if number == logs.count - 1 { joined.append(entry) }
                case .state(let phase):
                    isPaused = phase == .paused
                    if let place = resumption, isPaused, entry.date <= joined[place].date {
                        joined.remove(at: place)
                    } else {
                        joined.append(entry)
                    }
                    resumption = nil
                default: joined.append(sensors.renamed(entry))
                }
            }
        }
        return joined
    }

    private var hasLegs: Bool { contains { if case .activityBegan = $0.content { true } else { false } } }

    /// Returns the log with another activity. Distances, speeds and powers get the types of that sport.
    func of(_ activity: HKWorkoutActivityType) -> [SessionEntry] {
        let types = HKQuantityType.namesOfOtherSports(for: activity)
        return map { entry in
            switch entry.content {
            case .header(var header):
                header.activity.activity = activity.caseName
                return SessionEntry(entry.date, .header(header))
            case .activityBegan(var record):
                record.activity.activity = activity.caseName
                return SessionEntry(entry.date, .activityBegan(record))
            case .quantity(var reading):
                guard let type = types[reading.type] else { return entry }
                reading.type = type
                reading.becomeAnother()
                return SessionEntry(entry.date, .quantity(reading))
            default: return entry
            }
        }
    }
}

/// The names of sensors in a joined log: two logs may use one name for different devices.
private struct SensorNames {
    private var devices: [String: DeviceDescription?] = [:]
    private var names: [String: String] = [:]

    mutating func beginLog() { names = [:] }

    mutating func renamed(_ entry: SessionEntry) -> SessionEntry {
        var entry = entry
        switch entry.content {
        case .sensor(var status):
            status.id = name(of: status)
            entry.content = .sensor(status)
        case .quantity(var reading):
            guard let sensor = reading.sensor, let name = names[sensor], name != sensor else { break }
            reading.sensor = name
            entry.content = .quantity(reading)
        case .beats(var beats):
            beats.sensor = beats.sensor.map { names[$0] ?? $0 }
            entry.content = .beats(beats)
        default: break
        }
        return entry
    }

    private mutating func name(of status: SensorStatus) -> String {
        if let known = names[status.id] { return known }
        var name = status.id
        var number = 2
        while let other = devices[name], other != status.device {
            name = "\(status.id) \(number)"
            number += 1
        }
        devices[name] = status.device
        names[status.id] = name
        return name
    }
}

/// Adds the entries of a log one after the other, and keeps a part.
private struct LogCut {
    let start: Date
    let end: Date
    let isLast: Bool
    private var part: [SessionEntry] = []
    private var header: SessionHeader?
    private var metadata: [SessionEntry] = []
    private var sensors = LatestSensors()
    /// The leg at the start. An entry dated at the start may come before the one that begins the leg.
    private let leg: ActivityRecord?
    private var hasBegun = false
    /// Whether it was paused at the start and the part has no entry for the pause yet. Entries dated within a pause
    /// come before it.
    private var isPauseOpen = false

    init(start: Date, end: Date, isLast: Bool, leg: ActivityRecord?) {
        self.start = start
        self.end = end
        self.isLast = isLast
        self.leg = leg
    }

    mutating func finish() -> [SessionEntry] {
        begin()
        enterPause()
        part.append(SessionEntry(end, .state(.stopped)))
        return part
    }

    mutating func take(_ entry: SessionEntry) {
        switch entry.content {
        case .header(let header): self.header = header
        case .metadata: metadata.append(SessionEntry(start, entry.content))
        case .state(let phase): take(phase, at: entry.date)
        case .sensor(let status):
            if hasBegun { appendMoment(entry) } else { sensors.note(status) }
        case .activityBegan, .activityEnded: if entry.date > start { appendMoment(entry) }
        case .quantity(let reading):
            guard let cut = reading.cut(from: start, to: end, isLast: isLast) else { return }
            append(entry.date, .quantity(cut))
        case .category(var reading):
            guard let (first, last) = clipped(reading.start, reading.end) else { return }
            if (first, last) != (reading.start, reading.end) {
                (reading.start, reading.end) = (first, last)
                let origin = reading.origin
                reading.origin = SampleOrigin(id: .next(), device: origin.device, metadata: origin.metadata)
            }
            append(entry.date, .category(reading))
        case .event(var event):
            guard let (first, last) = clipped(event.start, event.end) else { return }
            (event.start, event.end) = (first, last)
            append(entry.date, .event(event))
        default: appendMoment(entry)
        }
    }

    private mutating func take(_ phase: SessionPhase, at date: Date) {
        switch phase {
        case .paused:
            if date <= start { isPauseOpen = true } else { appendMoment(SessionEntry(date, .state(.paused))) }
        case .running:
            if date <= start {
                isPauseOpen = false
            } else if date < end {
                enterPause()
                append(date, .state(.running))
            }
        case .notStarted, .prepared, .stopped, .ended: break
        }
    }

    private mutating func enterPause() {
        guard isPauseOpen else { return }
        isPauseOpen = false
        append(start, .state(.paused))
    }

    private func clipped(_ first: Date, _ last: Date) -> (Date, Date)? {
        if first == last { return start <= first && isBeforeEnd(first) ? (first, last) : nil }
        let (first, last) = (max(first, start), min(last, end))
        return first < last ? (first, last) : nil
    }

    private func isBeforeEnd(_ date: Date) -> Bool { isLast ? date <= end : date < end }

    private mutating func appendMoment(_ entry: SessionEntry) {
        if entry.date >= start, isBeforeEnd(entry.date) { append(entry.date, entry.content) }
    }

    private mutating func append(_ date: Date, _ content: SessionEntry.Content) {
        begin()
        part.append(SessionEntry(min(max(date, start), end), content))
    }

    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        if let header { part.append(SessionEntry(start, .header(header))) }
        part.append(SessionEntry(start, .state(.running)))
        part += metadata
        part += sensors.all.map { SessionEntry(start, .sensor($0)) }
        if let leg { part.append(SessionEntry(start, .activityBegan(leg))) }
    }
}

extension QuantityReading {
    fileprivate func cut(from start: Date, to end: Date, isLast: Bool) -> QuantityReading? {
        let reading = self
        if reading.start == reading.end {
            return reading.start >= start && (isLast ? reading.end <= end : reading.end < end) ? reading : nil
        }
        let (first, last) = (max(reading.start, start), min(reading.end, end))
        guard first < last else { return nil }
        guard (first, last) != (reading.start, reading.end) else { return reading }
        var cut = reading
        (cut.start, cut.end) = (first, last)
        if TypeCatalogue.quantityType(named: type)?.aggregationStyle == .cumulative {
            cut.value *= last.timeIntervalSince(first) / reading.end.timeIntervalSince(reading.start)
        }
        cut.becomeAnother()
        return cut
    }

    /// Gives a reading a new sample, because its values differ from those of the old one.
    fileprivate mutating func becomeAnother() { if origin != nil { origin = SampleOrigin(id: .next()) } }
}

extension HKQuantityType {
    /// Returns the names of other sports' types for measures that each sport has its own type for, with the names in
    /// this sport.
    fileprivate static func namesOfOtherSports(for activity: HKWorkoutActivityType) -> [String: String] {
        let distances = HKWorkoutActivityType.allActivityTypes.compactMap { sport in
            sport.distanceIdentifier.map { (sport, $0) }
        }
        let speeds: [HKWorkoutActivityType: HKQuantityTypeIdentifier] = [
            .running: .runningSpeed, .cycling: .cyclingSpeed, .walking: .walkingSpeed, .hiking: .walkingSpeed,
            .rowing: .rowingSpeed, .paddleSports: .paddleSportsSpeed, .crossCountrySkiing: .crossCountrySkiingSpeed,
        ]
        let powers: [HKWorkoutActivityType: HKQuantityTypeIdentifier] = [
            .running: .runningPower, .cycling: .cyclingPower,
        ]
        var names: [String: String] = [:]
        for types in [Dictionary(uniqueKeysWithValues: distances), speeds, powers] {
            guard let own = types[activity] else { continue }
            for other in types.values where other != own {
                names[HKQuantityType(other).swiftName] = HKQuantityType(own).swiftName
            }
        }
        return names
    }
}
