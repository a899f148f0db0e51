public import Foundation
public import SessionLog

/// A recorded workout, read from a file of any format: the entries of its session log, and what the file itself said.
///
/// `entries` is what a session makes of the file, read as it is asked for: a header, then everything in order of time (entries of one instant in
/// the order of the file), from the first `state(.running)` to the last `state(.stopped)`.
public struct Recording: Sendable, Equatable {
    /// The entries of the session's log, read anew each time; ``RecordedEntries/failure`` says whether all came.
    public let entries: RecordedEntries
    /// What the file itself said.
    public var file: RecordingSummary
    /// What is known of the entries without reading them again.
    package let facts: Facts

    package struct Facts: Sendable {
        /// When the recorded session began to run; nil where there is no workout.
        package var start: Date?
        /// When it was stopped, or ended without a stop.
        package var end: Date?
        /// From the start to the end, pauses included; nil where either is not told.
        package var seconds: Double? {
            guard let start, let end else { return nil }
            return end.timeIntervalSince(start)
        }
        /// The stored workout that this package wrote the file of; nil for any other file.
        package var workoutID: UUID?
        /// Who wore the sensors, where that is said.
        package var wearer: WearerProfile?
        /// Whether energy is among the readings; nil where nobody has looked.
        var hasEnergy: Bool?
        /// Whether the entries are a strap's packets, and not what was read from them.
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

    /// A recording whose entries are in memory.
    /// - Parameter entries: In order of time, as `Recording` says.
    public init(entries: [SessionEntry], file: RecordingSummary) {
        var facts = Facts()
        for entry in entries { facts.take(entry) }
        facts.hasEnergy = facts.hasEnergy ?? false
        self.init(entries: RecordedEntries(entries), file: file, facts: facts)
    }

    /// - Parameters:
    ///   - entries: In order of time, as `Recording` says.
    ///   - start: When the session begins to run; nil where there is no workout.
    ///   - end: When it is stopped.
    ///   - wearer: Who wore the sensors, where the file says so.
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

    /// Equal when all entries and the summary are; reads both to their end.
    public static func == (a: Recording, b: Recording) -> Bool {
        a.file == b.file && a.entries.elementsEqual(b.entries)
    }
}

extension SessionEntry {
    fileprivate var isEnergy: Bool {
        if case .quantity(let reading) = content { reading.type == "activeEnergyBurned" } else { false }
    }
}

extension Recording {
    /// Whether the energy is known that was spent, and need not be estimated. Reads the entries where that is not known yet.
    package var statesEnergy: Bool { facts.hasEnergy ?? entries.contains(where: \.isEnergy) }

    /// What the recording is of; nil where it holds nothing.
    public var header: SessionHeader? {
        if case .header(let header)? = entries.first?.content { header } else { nil }
    }

    /// The same workout with what whoever reads it knows of it besides.
    ///
    /// - Parameters:
    ///   - metadata: Takes the place of what the file says.
    ///   - under: What is added only if the file has nothing of the kind.
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

    /// The workouts of one file, numbered. Those without any entry that says when they began are left out, but for the only
    /// one.
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

/// What was read from a file, before any session made something of it.
public struct RecordingSummary: Sendable, Equatable {
    /// The short name of the format: `fit`, `jsonl`, `tcx` …
    public var format: String
    /// Data points: FIT records, trackpoints, log entries.
    public var records: Int
    /// Heart rates, invalid ones and zeros left out.
    public var heartRate: ValueSummary
    /// RR intervals in the order of the file, unfiltered, invalid ones left out.
    public var rrIntervalsInMilliseconds: [Double]
    /// Laps that the file has, manual or automatic ones.
    public var laps: Int
    /// What the file calls sessions, in all of it: the sports of a multisport workout, or workouts.
    public var sessions: Int
    /// How many workouts the file holds; 0 where there is none in it.
    public var workouts: Int
    /// Which of them this is, from 1 on. What else is said here is of this one, but for `sessions` and `warnings`.
    public var workout: Int
    /// Start to end, as the file states it; nil when it does not.
    public var elapsedInSeconds: Double?
    /// Without pauses, as the file states it; nil when it does not.
    public var timerInSeconds: Double?
    /// What could not be taken as it stood; what could was read.
    public var warnings: [RecordingWarning]
    /// What the file holds and no entry tells, in the words of a list, such as `grade`: there is no place for it.
    public var leftOut: [String]

    /// - Parameter format: The short name of the format; all counts are 0.
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

/// Count, least, mean and greatest of some values.
public struct ValueSummary: Sendable, Equatable {
    /// How many values were added.
    public private(set) var count = 0
    /// Of all values; 0 when there were none.
    public private(set) var sum = 0.0
    /// Infinity when there were no values.
    public private(set) var minimum = Double.infinity
    /// Minus infinity when there were no values.
    public private(set) var maximum = -Double.infinity

    /// Of no values.
    public init() {}

    /// Nil when there were no values.
    public var mean: Double? { count == 0 ? nil : sum / Double(count) }

    mutating func add(_ other: ValueSummary) {
        count += other.count
        sum += other.sum
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
    }

    /// Counts one more value; it must be a number.
    public mutating func add(_ value: Double) {
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }
}

extension Recording {
    /// The entries of the recording; where they are a strap's packets and not what was read from them, with the readings put
    /// in.
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
