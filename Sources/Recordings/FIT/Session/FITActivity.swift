import Foundation
import SessionLog

/// The collected messages of one activity, from which `FITRecording` makes a workout. Records are only surveyed:
/// `FITMoments` reads them again when they are needed.
struct FITActivity: FITMessageReader {
    struct TimerEvent {
        var sequence: UInt32
        var time: UInt32
        var isStart: Bool
    }

    /// The summary of a session or a lap.
    struct Summary {
        var sequence: UInt32
        var start: UInt32?
        var end: UInt32?
        var elapsedInSeconds: Double?
        var timerInSeconds: Double?
        var distanceInCentimeters: UInt32?
        var kilocalories: UInt16?
        var sport: UInt8?
        var subSport: UInt8?
        /// Only sessions have it.
        var poolLengthInMeters: Double?
        /// The index of the first pool length in a lap.
        var firstLength: UInt16?
        var developer: [String: MetadataValue]
    }

    struct Length {
        var sequence: UInt32
        var start: UInt32?
        var end: UInt32?
        var elapsedInSeconds: Double?
        var strokes: Int?
        var stroke: UInt8?
        var isActive: Bool
    }

    /// The place of the messages in the file.
    var extent: FITExtent
    /// The records with a time, and the RR intervals. Records without a time are only counted.
    var records = FITRecordSurvey()
    var timelessRecords = 0
    /// The sequence number of the last record.
    private(set) var lastRecord: UInt32 = 0
    var timelessHeartRates = ValueSummary()
    var events: [TimerEvent] = []
    var sessions: [Summary] = []
    var laps: [Summary] = []
    var lengths: [Length] = []
    var memory = FITHeartRateMemory()
    var devices = FITDevices()
    var timeCreated: UInt32?
    /// The sport of the sport message, or of the laps if there is none.
    var sport: UInt8?
    var subSport: UInt8?
    /// An `activity` message that ties the device's clock to a date.
    var localTime: (timestamp: UInt32, local: UInt32)?
    /// The device's distance in cm at the start of the activity, if it counts on from an earlier one.
    var distanceBefore: UInt32 = 0
    /// The ID of the workout, if this package wrote the file.
    var workoutID: UUID?
    /// Fields that do not become readings.
    var unread = FITUnreadFields()
    /// The title, notes and other labels of the workout.
    var labels = WorkoutLabels()
    /// Whether records have developer fields of this package, which become readings of any type.
    var hasOwnReadings = false
    private var identityField: FITDeveloperField?
    private var labelFields: [FITDeveloperField] = []
    /// The last value of each developer field of records that is text.
    var texts: [String: MetadataValue] = [:]
    /// The developer fields of laps and sessions, and the text fields of records, by local message type.
    private var summaryFields = [[FITDeveloperField]](repeating: [], count: 16)
    private var compressed = FITCompressedDistance()
    private var sequence: UInt32 = 0

    /// Begins an activity with the file whose header is at this byte.
    ///
    /// - Parameter earlier: The activity in the file before it in the chain.
    init(byte: Int = 0, after earlier: FITActivity? = nil) {
        sequence = earlier?.sequence ?? 0
        extent = FITExtent(byte: byte, messages: sequence)
    }

    /// The time zone of the activity: its local time minus UTC. Nil if it states no local time.
    var timeZone: TimeZone? {
        localTime.flatMap { TimeZone(localMinusUTC: Double($0.local) - Double($0.timestamp)) }
    }

    /// Nil if the activity has no times.
    var clock: FITClock? {
        middleTime.map { FITClock(middle: $0, local: localTime, created: timeCreated) }
    }

    /// A time in the middle of the activity that single damaged times cannot move. It comes from the records, or from
    /// everything else if they have no times.
    private var middleTime: UInt32? {
        var times = records.times.spread(99)
        if times.isEmpty {
            times = events.map(\.time) + sessions.compactMap(\.start) + laps.compactMap(\.start)
            times += lengths.compactMap(\.start)
        }
        times.sort()
        return times.isEmpty ? nil : times[times.count / 2]
    }

    mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
        if number == FITProfile.MessageNumber.activity {
            identityField = developerFields.first {
                $0.application == FITApplication.own && $0.name == FITApplication.workoutID
            }
            labelFields = developerFields.filter { $0.application == FITApplication.own }
        }
        typealias Number = FITProfile.MessageNumber
        switch number {
        case Number.lap, Number.session: summaryFields[local] = developerFields
        case Number.record:
            summaryFields[local] = developerFields.filter { $0.isNumberOrText && !$0.isNumber }
            hasOwnReadings = hasOwnReadings || developerFields.contains(where: \.isOwn)
        default: summaryFields[local] = []
        }
        unread.note(developerFields, of: number)
    }

    /// Reads the next message. After more messages than a sequence number can count, only their order among the others
    /// is lost.
    mutating func read(_ message: FITMessage) {
        sequence = sequence == UInt32.max ? sequence : sequence + 1
        switch message.number {
        case FITProfile.MessageNumber.record:
            if !summaryFields[message.local].isEmpty { noteTexts(message) }
            let record = FITRecord(message, sequence: sequence, &compressed)
            lastRecord = sequence
            if record.hasTime {
                records.take(record)
                unread.note(message, number: records.count)
            } else {
                timelessRecords += 1
                if record.hasHeartRate { timelessHeartRates.add(Double(record.heartRate)) }
            }
        case FITProfile.MessageNumber.heartRateVariability:
            message.appendIntervals(toMilliseconds: &records.intervalsInMilliseconds)
        case FITProfile.MessageNumber.event: readEvent(message)
        case FITProfile.MessageNumber.heartRate: memory.read(message)
        case FITProfile.MessageNumber.lap: readLap(message)
        case FITProfile.MessageNumber.length: readLength(message)
        case FITProfile.MessageNumber.session: readSession(message)
        case FITProfile.MessageNumber.activity:
            workoutID = identityField.flatMap(message.text).flatMap(UUID.init(uuidString:)) ?? workoutID
            labels = FITLabelField.labels(of: labelFields.map { ($0.name, message.text(of: $0) ?? "") })
                .completed(by: labels)
            if let time = message.timestamp, let local: UInt32 = message.exactly(FITProfile.Activity.localTimestamp) {
                localTime = (time, local)
            }
        case FITProfile.MessageNumber.fileID:
            timeCreated = timeCreated ?? message.exactly(FITProfile.FileID.timeCreated)
            devices.readFileID(message)
        case FITProfile.MessageNumber.workout:
            var plan = WorkoutLabels()
            plan.title = message.string(FITProfile.Workout.name)
            plan.notes = message.string(FITProfile.Workout.description)
            labels = labels.completed(by: plan)
        case FITProfile.MessageNumber.deviceInfo: devices.readDeviceInfo(message)
        case FITProfile.MessageNumber.sport:
            sport = message.exactly(FITProfile.Sport.sport) ?? sport
            subSport = message.exactly(FITProfile.Sport.subSport)
        default: break
        }
    }

    /// Reads an event of the timer: `event` 0; `event_type` start (0), stop (1), stop_all (4), stop_disable (8) and
    /// stop_disable_all (9). Other events are ignored.
    private mutating func readEvent(_ message: FITMessage) {
        guard message[FITProfile.Event.event] == 0, let time = message.timestamp else { return }
        switch message[FITProfile.Event.eventType] {
        case 0: events.append(TimerEvent(sequence: sequence, time: time, isStart: true))
        case 1, 4, 8, 9: events.append(TimerEvent(sequence: sequence, time: time, isStart: false))
        default: break
        }
    }

    private mutating func noteTexts(_ message: FITMessage) {
        for (key, text) in FITDeveloperMetadata.values(of: message, summaryFields[message.local]) {
            if let old = texts[key], old != text { unread.noteChange(of: key) }
            texts[key] = text
        }
    }

    /// The fields that have the same numbers in sessions and laps.
    private func summary(_ message: FITMessage) -> Summary {
        typealias Field = FITProfile.Session
        return Summary(
            sequence: sequence, start: message.exactly(Field.startTime), end: message.timestamp,
            elapsedInSeconds: message[Field.totalElapsedTime].map(Field.totalElapsedTime.value),
            timerInSeconds: message[Field.totalTimerTime].map(Field.totalTimerTime.value),
            distanceInCentimeters: message.exactly(Field.totalDistance),
            kilocalories: message.exactly(Field.totalCalories),
            developer: FITDeveloperMetadata.values(of: message, summaryFields[message.local]))
    }

    private mutating func readSession(_ message: FITMessage) {
        typealias Field = FITProfile.Session
        var session = summary(message)
        session.sport = message.exactly(Field.sport)
        session.subSport = message.exactly(Field.subSport)
        if labels.effort == nil, let effort = message[Field.effort], effort > 0 {
            labels.effort = Field.effort.value(effort)
        }
        session.poolLengthInMeters = message[Field.poolLength].map(Field.poolLength.value)
        sessions.append(session)
    }

    private mutating func readLap(_ message: FITMessage) {
        typealias Field = FITProfile.Lap
        var lap = summary(message)
        lap.sport = message.exactly(Field.sport)
        lap.subSport = message.exactly(Field.subSport)
        lap.firstLength = message.exactly(Field.firstLengthIndex)
        if sport == nil { (sport, subSport) = (lap.sport, lap.subSport) }
        laps.append(lap)
    }

    private mutating func readLength(_ message: FITMessage) {
        typealias Field = FITProfile.Length
        lengths.append(
            Length(
                sequence: sequence, start: message.exactly(Field.startTime), end: message.timestamp,
                elapsedInSeconds: message[Field.totalElapsedTime].map(Field.totalElapsedTime.value),
                strokes: message.exactly(Field.totalStrokes), stroke: message.exactly(Field.swimStroke),
                isActive: message[Field.lengthType] != 0))
    }
}

extension FITActivity {
    /// Returns the survey of the records whose time is plausible, with the heart rates that a strap stored for them;
    /// and the heart rates of the records that were left out.
    ///
    /// It reads the records again only if the survey found something unusual, which few files have.
    func settledRecords(
        _ clock: FITClock, _ source: RecordingSource
    ) throws(RecordingError) -> (records: FITRecordSurvey, leftOut: ValueSummary) {
        if records.steps == 0, !records.isJoined, memory.readings.isEmpty, clock.holds(records) {
            return (records, ValueSummary())
        }
        let moments = try FITMoments(source, extent, clock: clock, memory: memory)
        var settled = FITRecordSurvey()
        try moments.forEach { moment, _ in
            if case .record(let record) = moment { settled.take(record, keepingLate: true) }
        }
        settled.sortLate()
        return (settled, moments.leftOut)
    }
}
