public import Foundation
public import SessionLog

/// A recorded workout from a file of any format: the entries of its session log, and the file's own summary.
///
/// `entries` is the log that a session would write, read when it is needed: a header, then everything in order of time
/// (entries of one instant in the order of the file), from the first `state(.running)` to the last `state(.stopped)`.
public struct Recording: Sendable, Equatable {
    /// The entries of the session's log, read again for each iteration; ``RecordedEntries/failure`` shows whether all
    /// were read.
    public let entries: RecordedEntries
    /// The summary of the file.
    public var file: RecordingSummary
    /// Facts about the entries that need no further reading.
    package let facts: Facts

    package struct Facts: Sendable {
        /// When the session began to run. Nil if there is no workout.
        package var start: Date?
        /// When it was stopped, or ended without a stop.
        package var end: Date?
        /// The seconds from start to end, with pauses. Nil if either is unknown.
        package var seconds: Double? {
            guard let start, let end else { return nil }
            return end.timeIntervalSince(start)
        }
        /// The ID of the stored workout, if this package wrote the file; otherwise nil.
        package var workoutID: UUID?
        /// Who wore the sensors, if the file states it.
        package var wearer: WearerProfile?
        /// Whether there are readings of energy. Nil if this was not checked.
        var hasEnergy: Bool?
        /// Whether the entries hold the packets of a strap but not the readings in them.
        var holdsOnlyPackets: Bool { hasPackets && !hasReadings }
        private var hasPackets = false
        private var hasReadings = false

        init() {}

        init(start: Date, end: Date, hasPackets: Bool) {
            self.start = start
            self.end = end
            self.hasPackets = hasPackets
        }

        mutating func take(_ entry: SessionEntry) {
            if entry.isEnergy { hasEnergy = true }
            switch entry.content {
            case .state(.running): start = min(start ?? entry.date, entry.date)
            case .state(.stopped), .state(.ended): end = max(end ?? entry.date, entry.date)
            case .wearer(let profile): wearer = wearer ?? profile
            default:
                hasPackets = hasPackets || entry.isHeartRatePacket
                hasReadings = hasReadings || entry.isHeartRateReading
            }
        }
    }

    /// Creates a recording from entries in memory.
    /// - Parameter entries: The entries in order of time, as `Recording` describes.
    public init(entries: [SessionEntry], file: RecordingSummary) {
        var facts = Facts()
        for entry in entries { facts.take(entry) }
        facts.hasEnergy = facts.hasEnergy ?? false
        self.init(entries: RecordedEntries(entries), file: file, facts: facts)
    }

    /// - Parameters:
    ///   - entries: The entries in order of time, as `Recording` describes.
    ///   - start: When the session begins to run. Nil if there is no workout.
    ///   - end: When it is stopped.
    ///   - wearer: Who wore the sensors, if the file states it.
    public init(
        entries: RecordedEntries, file: RecordingSummary, start: Date?, end: Date?, wearer: WearerProfile? = nil
    ) {
        var facts = Facts()
        facts.start = start
        facts.end = end
        facts.wearer = wearer
        self.init(entries: entries, file: file, facts: facts)
    }

    init(entries: RecordedEntries, file: RecordingSummary, facts: Facts) {
        self.entries = entries
        self.file = file
        self.facts = facts
    }

    /// Compares all entries and the summary; reads both recordings to their end.
    public static func == (a: Recording, b: Recording) -> Bool {
        a.file == b.file && a.entries.elementsEqual(b.entries)
    }
}

extension SessionEntry {
    fileprivate var isEnergy: Bool { content.isEnergy }
}

extension SessionEntry.Content {
    /// Whether it is a reading of active energy.
    var isEnergy: Bool {
        if case .quantity(let reading) = self { reading.type == "activeEnergyBurned" } else { false }
    }
}

extension Recording {
    /// Creates what a file without a workout gives.
    init(format: String, warning: String) {
        var summary = RecordingSummary(format: format)
        summary.warnings.append(RecordingWarning(byte: 0, message: warning))
        self.init(entries: [], file: summary)
    }

    /// Returns the recordings of a list of a service, numbered. An empty list has one without a workout.
    /// - Parameters:
    ///   - undated: How many of its rows have no start or no duration.
    ///   - empty: The warning of an empty list.
    static func list(
        _ recordings: [Recording], undated: Int = 0, empty: String = "the list holds no exercise", format: String
    ) -> [Recording] {
        let flaw = undated > 0 ? "rows without a start or a duration: \(undated)" : empty
        guard !recordings.isEmpty else { return [Recording(format: format, warning: flaw)] }
        var recordings = recordings
        if undated > 0 { recordings[0].file.warnings.append(RecordingWarning(byte: 0, message: flaw)) }
        return numbered(recordings)
    }

    /// Sets the ID of a workout in a list of a service. With its readings, which may have been missing, it gets another one.
    mutating func identify(in service: String, readings: Int, _ combine: (inout HealthFingerprint) -> Void) {
        var print = HealthFingerprint()
        print.combine(service)
        combine(&print)
        print.combine(UInt64(readings))
        file.ownID = print.uuid
    }

    /// Returns the workout with the time zone of its clock. An unknown or impossible one changes nothing.
    func inTimeZone(secondsFromGMT seconds: Double?) -> Recording {
        guard let zone = seconds.flatMap(TimeZone.init(localMinusUTC:)) else { return self }
        return adding(["HKTimeZone": .string(zone.identifier)])
    }

    /// Whether the recording states its energy, which then need not be estimated. Reads the entries if this is not
    /// known yet.
    package var statesEnergy: Bool { facts.hasEnergy ?? entries.contains(where: \.isEnergy) }

    /// The header with the activity. Nil if the recording is empty.
    public var header: SessionHeader? {
        if case .header(let header)? = entries.first?.content { header } else { nil }
    }

    /// Returns the workout with additional metadata that the caller knows.
    ///
    /// - Parameters:
    ///   - metadata: Replaces the metadata in the file.
    ///   - under: Metadata to use only if the file has none for the key.
    package func adding(
        _ metadata: [String: MetadataValue], under lesser: [String: MetadataValue] = [:]
    ) -> Recording {
        let added = metadata.merging(lesser) { own, _ in own }
        guard !added.isEmpty else { return self }
        let entries = entries.replacing { entry in
            switch entry.content {
            case .header: return [entry, SessionEntry(entry.date, .metadata(added))]
            case .metadata(let own):
                let rest = own.filter { metadata[$0.key] == nil }
                return rest.isEmpty ? [] : [SessionEntry(entry.date, .metadata(rest))]
            default: return nil
            }
        }
        return Recording(entries: entries, file: file, facts: facts)
    }

    /// Returns the workouts of one file with their numbers. Workouts without a start are left out, unless there is no
    /// other.
    package static func numbered(_ all: [Recording]) -> [Recording] {
        var workouts = all.filter { $0.facts.start != nil }
        if workouts.isEmpty { return Array(all.prefix(1)) }
        let sessions = workouts.reduce(0) { $0 + (workouts.count > 1 ? max(1, $1.file.sessions) : $1.file.sessions) }
        for index in workouts.indices {
            workouts[index].file.sessions = sessions
            workouts[index].file.workouts = workouts.count
            workouts[index].file.workout = index + 1
        }
        return workouts
    }
}

extension TimeZone {
    /// Creates the time zone of a clock, in whole quarters of an hour. Nil if there is no such zone.
    /// - Parameter seconds: What the clock shows minus UTC.
    init?(localMinusUTC seconds: Double) {
        let quarters = (seconds / 900).rounded()
        // Clocks of devices are seconds off, but never more than a minute.
        guard (seconds - quarters * 900).magnitude <= 60, quarters.magnitude <= 56 else { return nil }
        self.init(secondsFromGMT: Int(quarters) * 900)
    }
}

/// A summary of the contents of a file, before a session makes anything of them.
public struct RecordingSummary: Sendable, Equatable {
    /// The short name of the format: `fit`, `jsonl`, `tcx` …
    public var format: String
    /// The number of data points: FIT records, trackpoints, log entries.
    public var records: Int
    /// Heart rates, without invalid ones and zeros.
    public var heartRate: ValueSummary
    /// RR intervals in the order of the file, unfiltered, without invalid ones.
    public var rrIntervalsInMilliseconds: [Double]
    /// The number of laps in the file, manual or automatic.
    public var laps: Int
    /// The number of sessions in the whole file, in the file's own terms: the sports of a multisport workout, or
    /// workouts.
    public var sessions: Int
    /// The number of workouts in the file.
    public var workouts: Int
    /// The number of this workout, from 1 on. The other values describe this workout, except `sessions` and `warnings`.
    public var workout: Int
    /// The duration from start to end in seconds, if the file states it.
    public var elapsedInSeconds: Double?
    /// The duration without pauses in seconds, if the file states it.
    public var timerInSeconds: Double?
    /// The ID of a workout in a list, whose file changes when the list grows. Nil if the bytes of the file identify the
    /// workout.
    public var ownID: UUID?
    /// Damage that was found. Everything readable was read.
    public var warnings: [RecordingWarning]
    /// Contents of the file that no entry can hold, as names for a list, such as `grade`.
    public var leftOut: [String]

    /// Creates a summary in which all counts are 0.
    ///
    /// - Parameter format: The short name of the format.
    public init(format: String) {
        self.format = format
        records = 0
        heartRate = ValueSummary()
        rrIntervalsInMilliseconds = []
        laps = 0
        sessions = 0
        workouts = 0
        workout = 1
        warnings = []
        leftOut = []
    }
}

/// The count, minimum, mean and maximum of some values.
public struct ValueSummary: Sendable, Equatable {
    /// The number of values.
    public private(set) var count = 0
    /// The sum of the values, or 0 if there are none.
    public private(set) var sum = 0.0
    /// The minimum, or infinity if there are no values.
    public private(set) var minimum = Double.infinity
    /// The maximum, or minus infinity if there are no values.
    public private(set) var maximum = -Double.infinity

    /// Creates a summary of no values.
    public init() {}

    /// The mean, or nil if there are no values.
    public var mean: Double? { count == 0 ? nil : sum / Double(count) }

    mutating func add(_ other: ValueSummary) {
        count += other.count
        sum += other.sum
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
    }

    /// Adds a value, which must be a number.
    public mutating func add(_ value: Double) {
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }
}

extension Recording {
    /// The entries with readings. If the recording holds only the packets of a strap, the readings in them are added.
    package var entriesWithReadings: RecordedEntries {
        guard facts.holdsOnlyPackets else { return entries }
        return entries.replacing { entry in
            guard case .notification(let packet) = entry.content, entry.isHeartRatePacket else { return nil }
            return [entry]
                + SessionEntry.readings(
                    ofHeartRateMeasurement: packet.bytes, at: entry.date, sensor: packet.sensor)
        }
    }
}

extension Recording {
    /// The recording as a workout that a session can run again. Nil if it holds no workout.
    package var replayed: ReplayedWorkout? {
        guard let start = facts.start else { return nil }
        let entries = entriesWithReadings
        return ReplayedWorkout(
            entries, start: start, seconds: facts.seconds, wearer: facts.wearer, hasEnergy: { statesEnergy },
            failure: { entries.failure })
    }
}
