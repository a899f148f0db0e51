public import Foundation
public import SessionLog

/// Activity files of sports watches and bike computers: FIT, Flexible and Interoperable Data Transfer.
public enum FITFile {
    /// The number of bytes at the start of a file that `isFIT` examines.
    public static let prefixLength = FITHeader.minimumSize

    /// Returns whether a file that begins with these bytes (`prefixLength` of them) is marked as FIT.
    public static func isFIT(prefix: some Collection<UInt8>) -> Bool {
        Array(prefix.prefix(prefixLength)).withUnsafeBytes { bytes in
            ByteView(bytes).map { FITHeader.isPresent(in: $0, at: 0) } ?? false
        }
    }

    /// Reads a file in any condition; the warnings of each recording list what could not be read. A FIT file without an
    /// activity gives a recording without entries.
    ///
    /// - Returns: A recording of each activity, in order of time; at least one.
    public static func read(_ url: URL) throws(RecordingError) -> [Recording] { try read(RecordingSource(url)) }

    static func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        var activities = FITActivities()
        let warnings = try decode(source.open(), into: &activities)
        var recordings: [Recording] = []
        for activity in try activities.activities(of: source, isSound: warnings.isEmpty) {
            recordings.append(try FITRecording(activity, source, warnings: warnings).recording())
        }
        return Recording.numbered(recordings)
    }

    /// Reads a file in memory.
    /// - Throws: ``FITFileError`` if the bytes do not begin like a FIT file. All other damage is in the warnings.
    public static func read(bytes: some ContiguousBytes) throws(FITFileError) -> [Recording] {
        let source = RecordingSource(path: "FIT", bytes: bytes.withUnsafeBytes { Array($0) })
        // Bytes in memory can always be read, so no other error is possible.
        do throws(RecordingError) { return try read(source) } catch { throw .notFIT }
    }

    /// Counts the messages of each kind in a file, by global message number, and collects its faults. Its memory does
    /// not grow with the file.
    public static func survey(_ url: URL) throws(RecordingError) -> FITSurvey {
        var survey = FITSurvey()
        survey.warnings = try decode(RecordingSource(url).open(), into: &survey)
        return survey
    }

    static func decode<Reader: FITMessageReader>(
        _ bytes: RecordingBytes, into reader: inout Reader
    ) throws(RecordingError) -> [RecordingWarning] {
        var decoder = FITDecoder()
        try bytes.forEach { (piece) throws(RecordingError) in
            if decoder.isFIT != false { decoder.read(UnsafeRawBufferPointer(piece), into: &reader) }
        }
        decoder.finish(into: &reader)
        guard decoder.isFIT == true else {
            throw .invalid(path: bytes.path, byte: 8, reason: FITFileError.notFIT.description)
        }
        return decoder.warnings.all
    }

    static func decode<Reader: FITMessageReader>(
        _ bytes: some ContiguousBytes, into reader: inout Reader
    ) throws(FITFileError) -> [RecordingWarning] {
        var decoder = FITDecoder()
        bytes.withUnsafeBytes { decoder.read($0, into: &reader) }
        decoder.finish(into: &reader)
        guard decoder.isFIT == true else { throw .notFIT }
        return decoder.warnings.all
    }
}

/// The reason why bytes gave no recording.
public enum FITFileError: Error, Equatable, CustomStringConvertible {
    /// The bytes do not begin like a FIT file.
    case notFIT

    /// The description for the user.
    public var description: String { "this is not a FIT file: bytes 8 to 11 should be .FIT" }
}

/// Makes a recording from the messages of an activity.
struct FITRecording {
    private let activity: FITActivity
    private let source: RecordingSource
    private var summary: RecordingSummary

    init(_ activity: FITActivity, _ source: RecordingSource, warnings: [RecordingWarning]) {
        self.activity = activity
        self.source = source
        summary = RecordingSummary(format: "fit")
        summary.records = activity.records.count + activity.timelessRecords
        summary.heartRate = activity.timelessHeartRates
        summary.laps = activity.laps.count
        summary.sessions = activity.sessions.count
        summary.rrIntervalsInMilliseconds = activity.records.intervalsInMilliseconds.map(Double.init)
        let elapsed = activity.sessions.compactMap(\.elapsedInSeconds)
        let timer = activity.sessions.compactMap(\.timerInSeconds)
        summary.elapsedInSeconds = elapsed.isEmpty ? nil : elapsed.reduce(0, +)
        summary.timerInSeconds = timer.isEmpty ? nil : timer.reduce(0, +)
        summary.warnings = warnings
        summary.leftOut = activity.unread.words
        if activity.records.hasAltitudes, !activity.records.hasPositions {
            summary.leftOut.append("altitudes, because there are no positions")
        }
    }

    consuming func recording() throws(RecordingError) -> Recording {
        guard let clock = activity.clock else {
            warn("the file holds no activity: nothing in it has a time")
            return Recording(entries: [], file: summary)
        }
        if let note = clock.note { warn(note) }
        if activity.memory.undated > 0 {
            warn("\(activity.memory.undated) stored heart rates have no date; they are left out")
        }
        let (records, leftOut) = try activity.settledRecords(clock, source)
        summary.heartRate.add(leftOut)
        summary.heartRate.add(records.heartRate)
        let left = summary.records - records.count
        if left > 0 {
            warn("\(left) records have no usable time; they are counted, but not part of the workout")
        }
        if !records.late.isEmpty, activity.unread.hasDeveloperValues {
            summary.leftOut.append("developer fields of records that step back in time")
        }
        if records.steps > 0 { warn("\(records.steps) records step back in time; they were put in order") }
        var settledClock = clock
        settledClock.jumps = ClockJumps(activity.stated(records, clock))
        if let note = settledClock.jumps.note { warn(note) }
        let stated = activity.stated(records, settledClock)
        guard let times = WorkoutTimes(stated) else {
            warn("the file holds no activity: nothing in it has a time")
            return Recording(entries: [], file: summary)
        }
        for note in times.notes { warn(note) }
        let plan = try FITPlan(activity, records, stated, times, clock: settledClock, source)
        for note in plan.notes { warn(note) }
        let entries = RecordedEntries(source: { [plan, source] () throws(RecordingError) in FITEntries(plan, source) })
        var facts = Recording.Facts(
            start: FITClock.date(times.start), end: FITClock.date(times.end), hasPackets: false)
        facts.workoutID = activity.workoutID
        let statesEnergy = plan.items.contains { $0.content.isEnergy }
        facts.hasEnergy = statesEnergy ? true : activity.hasOwnReadings ? nil : false
        return Recording(entries: entries, file: summary, facts: facts)
    }

    private mutating func warn(_ message: String) {
        summary.warnings.append(RecordingWarning(byte: 0, message: message))
    }
}

/// The contents of a FIT file: the number of messages of each kind, and its faults.
public struct FITSurvey: FITMessageReader, Sendable, Equatable {
    /// The faults of the file, in the order of its bytes.
    public internal(set) var warnings: [RecordingWarning] = []
    private var counts: [UInt16: Int] = [:]
    /// The kind and count of messages of each local type that are not yet in `counts`.
    private var numbers = [UInt16](repeating: 0, count: 16)
    private var pending = [Int](repeating: 0, count: 16)

    /// The number of messages by global message number: 20 for `record`.
    public var messages: [UInt16: Int] {
        var all = counts
        for local in 0..<16 where pending[local] > 0 { all[numbers[local], default: 0] += pending[local] }
        return all
    }

    package mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
        if pending[local] > 0 { counts[numbers[local], default: 0] += pending[local] }
        pending[local] = 0
        numbers[local] = number
    }

    package mutating func read(_ message: FITMessage) {
        pending[message.local] += 1
    }
}
