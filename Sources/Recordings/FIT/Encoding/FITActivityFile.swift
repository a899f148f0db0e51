import Foundation
import SessionLog

/// A workout as a FIT activity file. The messages have the order in which a device writes them: the timer's events,
/// records and laps as they come, and the sessions at the end. FIT Protocol and Profile, “Activity File”.
struct FITActivityFile: RowFile {
    /// FIT counts whole seconds.
    static let secondsApart = 1.0
    /// The distance in records counts on through all parts; every session states its own.
    static let countsPartsAnew = false
    /// Indoors is a sub-sport.
    private static let metadata: Set = [
        "HKIndoorWorkout", "HKTimeZone", FITSport.sportKey, FITSport.subSportKey, FITDevices.productKey,
    ]

    static func holdsMetadata(_ key: String) -> Bool {
        metadata.contains(key) || FITDeveloperMetadata.field(of: key) != nil
    }

    let outline: WorkoutOutline
    /// The laps of the workout. If it has none, its stretches, because an activity file needs at least one lap.
    let laps: [Int: Int]
    var encoder = FITEncoder()
    var records: FITRecordLayouts
    /// The numbers of the developer fields of laps and sessions, by their keys in metadata.
    let summaryFields: [String: UInt8]
    let labelFields: [FITLabelField]
    var leftOut = Omissions()
    var numberOfLaps = 0
    var lengths = FITPoolLengths()
    /// The fields about pool lengths for each session, by part.
    var lengthsOfParts: [Int: [FITFieldValue]] = [:]
    /// The index of the part that is being written.
    private(set) var part = 0
    private var lastRecord = -Double.infinity

    init(_ outline: WorkoutOutline) throws {
        self.outline = outline
        guard let start = outline.start, let end = outline.end, FITTime.number(start) != nil, FITTime.number(end) != nil
        else {
            throw RecordingWriteError.nothingToHold(
                format: "FIT", reason: "its dates are not of the years 1998 to 2125",
                advice: "write it as TCX, GPX, CSV or session log")
        }
        let named = outline.stretches.indices.filter { outline.stretches[$0].isLap }
        let written = named.isEmpty ? Array(outline.stretches.indices) : named
        laps = Dictionary(uniqueKeysWithValues: written.enumerated().map { ($0.element, $0.offset) })
        records = FITRecordLayouts(outline)
        let metadata = outline.stretches.map(\.metadata) + outline.parts.map(\.metadata) + [outline.metadata]
        let keys = Set(metadata.flatMap(\.keys)).filter { FITDeveloperMetadata.field(of: $0) != nil }.sorted()
        summaryFields = Dictionary(
            uniqueKeysWithValues: keys.prefix(Self.mostSummaryFields).enumerated().map { number, key in
                (key, Self.firstSummaryField + UInt8(number))
            })
        let labels = FITLabelField.fields(of: outline.labels, from: Self.firstLabelField)
        labelFields = labels.fields
        if labels.isCut { leftOut.note("the end of the notes") }
        if keys.count > Self.mostSummaryFields {
            leftOut.add("developer fields of laps and sessions", count: keys.count - Self.mostSummaryFields)
        }
    }

    /// The numbers after those of the developer fields of records.
    private static let firstSummaryField: UInt8 = 60
    private static let mostSummaryFields = 120
    /// The number after that of the workout ID.
    private static let firstLabelField: UInt8 = 201

    static let hasHead = true
    static let holdsSensors = true
    static let holdsLabels = true
    var head: [UInt8]? { encoder.finalHeader }

    mutating func begin(to output: inout [UInt8]) {
        encoder.begin()
        writeFileID()
        writeDeveloperFields()
        writeDevices()
        writeWearer()
        writeTitle()
        encoder.take(to: &output)
    }

    mutating func write(_ moment: TrackMoment, to output: inout [UInt8]) {
        guard let time = FITTime.number(moment.date) else { return leftOut.add("readings before 1998") }
        var moment = moment
        holdStrokes(of: &moment)
        if moment.isEmpty { return }
        writeRecord(moment, time)
        writeBeats(moment.beatsInMilliseconds)
        lastRecord = max(lastRecord, moment.seconds)
        encoder.take(to: &output)
    }

    mutating func write(_ mark: TrackMark, to output: inout [UInt8]) {
        switch mark {
        case .started(let date): writeTimer(isStart: true, date)
        case .paused(let date): writeTimer(isStart: false, date)
        case .resumed(let date): writeTimer(isStart: true, date)
        // A stretch between laps is not a lap, except in files that would otherwise have no lap.
        case .stretchEnded(let number): if laps[number] != nil { writeLap(number) }
        case .lapNamed: break
        case .partBegan(let number):
            endLengths()
            part = number
        case .event(let event, _) where event.kind == .segment && isPoolSwim: writeLength(event)
        case .event(let event, _): leftOut.add("events of kind \(event.kind.rawValue)")
        case .stopped(let date): stop(date)
        }
        encoder.take(to: &output)
    }

    mutating func finish(to output: inout [UInt8]) {
        endLengths()
        // The last stretch ends with the workout and has no mark of its own.
        for number in outline.stretches.indices where laps[number] == numberOfLaps { writeLap(number) }
        writeSessions()
        encoder.finish(to: &output)
    }

    /// Stops the timer at the end of the workout.
    ///
    /// To FIT, a stop without a start after it is the end. So if the workout ended during a pause, the timer starts
    /// again at the end and stops there. Nothing is written if the last record comes more than a minute after the start
    /// of that pause and not before the end, because the records then show that the workout went on.
    private mutating func stop(_ date: Date) {
        let end = date.timeIntervalSinceReferenceDate
        if let pause = outline.pauses.open {
            if pause.timeIntervalSinceReferenceDate >= end { return }
            if lastRecord >= end, lastRecord > pause.timeIntervalSinceReferenceDate + 60 { return }
            writeTimer(isStart: true, date)
        }
        // Round up, so that nothing of the workout comes after its end.
        writeTimer(isStart: false, Date(timeIntervalSinceReferenceDate: end.rounded(.up)))
    }

    private mutating func endLengths() {
        writeRestOfStrokes()
        lengthsOfParts[part] = lengths.endSession(covered: lengthsCovered(in: outline.parts[part].span, part: part))
    }

    // MARK: Records

    mutating func writeRecord(_ moment: TrackMoment, _ time: UInt32) {
        var record = FITRecordValues(moment, time)
        for (type, value) in moment.others {
            let (name, unit) = outline.types[type]
            if FITRecordValues.hasField(name, unit: unit) {
                record.set(name, value)
                continue
            }
            guard let field = records.field(ofType: type) else {
                leftOut.add("readings of \(NeutralType.words(name))")
                continue
            }
            record.developer.append((field, value))
        }
        for what in record.left { leftOut.add(what) }
        if let energy = moment[.energy], energy != energy.rounded() { leftOut.note("fractions of a kilocalorie") }
        if moment.isRounded { leftOut.note("fractions of a second") }
        records.write(record, to: &encoder)
    }

    /// Writes RR intervals in whole milliseconds, up to three per message.
    private mutating func writeBeats(_ intervals: [Double]) {
        var written: [UInt16] = []
        for interval in intervals {
            let whole = interval.rounded()
            guard whole >= 1, whole < 65_535 else {
                leftOut.add("RR intervals longer than a minute")
                continue
            }
            if whole != interval { leftOut.note("fractions of a millisecond of RR intervals") }
            written.append(UInt16(whole))
        }
        var rest = written[...]
        while !rest.isEmpty {
            let some = rest.prefix(3)
            rest = rest.dropFirst(3)
            encoder.define(
                some.count, FITProfile.MessageNumber.heartRateVariability,
                [1, FITProfile.HeartRateVariability.time.number, UInt8(2 * some.count), FITBaseType.uint16.rawValue],
                developer: [])
            encoder.message(local: some.count) { bytes in
                for interval in some {
                    bytes.append(UInt8(truncatingIfNeeded: interval))
                    bytes.append(UInt8(truncatingIfNeeded: interval >> 8))
                }
            }
        }
    }

    /// Writes a timer event: `event` 0 is the timer; `event_type` 0 is a start, 4 a stop of all.
    private mutating func writeTimer(isStart: Bool, _ date: Date) {
        guard let time = FITTime.number(date) else { return }
        encoder.message(
            FITProfile.MessageNumber.event, local: 0,
            [
                FITFieldValue(FITProfile.timestamp.number, .uint32, Int64(time)),
                FITFieldValue(FITProfile.Event.event.number, .enum, 0),
                FITFieldValue(FITProfile.Event.eventType.number, .enum, isStart ? 0 : 4),
            ])
    }
}

/// FIT's dates: whole seconds since 1989-12-31T00:00:00Z. Numbers below 0x10000000 are not dates (see ``FITClock``).
enum FITTime {
    /// Returns the date rounded to the nearest second, or nil if FIT cannot express it.
    static func number(_ date: Date) -> UInt32? {
        let seconds = (date.timeIntervalSince1970 - FITClock.epoch).rounded()
        return seconds >= 0x1000_0000 && seconds < 0xFFFF_FFFF ? UInt32(seconds) : nil
    }
}
