/// The messages of one activity, collected: what `FITRecording` makes a workout of.
struct FITActivity: FITMessageReader {
    struct TimerEvent {
        var sequence: UInt32
        var time: UInt32
        var isStart: Bool
    }

    struct Session {
        var sequence: UInt32
        var start: UInt32?
        var end: UInt32?
        var elapsedInSeconds: Double?
        var timerInSeconds: Double?
        var distanceInCentimeters: UInt32?
        var sport: UInt8?
        var subSport: UInt8?
        var poolLengthInMeters: Double?
    }

    struct Lap {
        var sequence: UInt32
        var start: UInt32?
        var end: UInt32?
        var elapsedInSeconds: Double?
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

    /// RR intervals that came after record `record` and before the next one that has a time.
    struct Beats {
        var sequence: UInt32
        /// Index of the record, −1 before the first.
        var record: Int
        var intervals: Range<Int>
    }

    /// Those with a time; the others are of no use but for what they count to.
    var records: [FITRecord] = []
    var timelessRecords = 0
    var timelessHeartRates = ValueSummary()
    var events: [TimerEvent] = []
    var sessions: [Session] = []
    var laps: [Lap] = []
    var lengths: [Length] = []
    var beats: [Beats] = []
    var intervalsInMilliseconds: [UInt16] = []
    var memory = FITHeartRateMemory()
    var devices = FITDevices()
    var timeCreated: UInt32?
    /// What the sport message says, or the laps where there is none.
    var sport: UInt8?
    var subSport: UInt8?
    /// An `activity` message that ties the device's clock to a date.
    var localTime: (timestamp: UInt32, local: UInt32)?
    /// What the device's distance said when the activity began, in cm, where it counts on from an earlier one.
    var distanceBefore: UInt32 = 0
    private var compressed = FITCompressedDistance()
    private var sequence: UInt32 = 0

    init() {}

    /// The messages of a file that is chained to the one of `earlier`.
    init(after earlier: FITActivity) { sequence = earlier.sequence }

    /// A file of more messages than a sequence number holds is read on; only their order among others is lost.
    mutating func read(_ message: FITMessage) {
        sequence = sequence == UInt32.max ? sequence : sequence + 1
        switch message.number {
        case FITProfile.MessageNumber.record:
            var record = FITRecord(message, sequence: sequence)
            if let field = message.array(FITProfile.Record.compressedSpeedDistance) {
                compressed.expand(field, into: &record)
            }
            if record.hasTime {
                records.append(record)
            } else {
                timelessRecords += 1
                if record.hasHeartRate { timelessHeartRates.add(Double(record.heartRate)) }
            }
        case FITProfile.MessageNumber.heartRateVariability: readBeats(message)
        case FITProfile.MessageNumber.event: readEvent(message)
        case FITProfile.MessageNumber.heartRate: memory.read(message)
        case FITProfile.MessageNumber.lap: readLap(message)
        case FITProfile.MessageNumber.length: readLength(message)
        case FITProfile.MessageNumber.session: readSession(message)
        case FITProfile.MessageNumber.activity:
            if let time = message.timestamp, let local: UInt32 = message.exactly(FITProfile.Activity.localTimestamp) {
                localTime = (time, local)
            }
        case FITProfile.MessageNumber.fileID:
            timeCreated = timeCreated ?? message.exactly(FITProfile.FileID.timeCreated)
            devices.readFileID(message)
        case FITProfile.MessageNumber.deviceInfo: devices.readDeviceInfo(message)
        case FITProfile.MessageNumber.sport:
            sport = message.exactly(FITProfile.Sport.sport) ?? sport
            subSport = message.exactly(FITProfile.Sport.subSport)
        default: break
        }
    }

    private mutating func readBeats(_ message: FITMessage) {
        guard let times = message.array(FITProfile.HeartRateVariability.time) else { return }
        let first = intervalsInMilliseconds.count
        for index in 0..<times.count {
            guard let time = times[index], let milliseconds = UInt16(exactly: time) else { continue }
            intervalsInMilliseconds.append(milliseconds)
        }
        let end = intervalsInMilliseconds.count
        guard end > first else { return }
        if let last = beats.last, last.record == records.count - 1 {
            beats[beats.count - 1].intervals = last.intervals.lowerBound..<end
        } else {
            beats.append(Beats(sequence: sequence, record: records.count - 1, intervals: first..<end))
        }
    }

    /// Of all events, those of the timer: `event` 0; `event_type` start (0), stop (1), stop_all (4), stop_disable (8) and
    /// stop_disable_all (9).
    private mutating func readEvent(_ message: FITMessage) {
        guard message[FITProfile.Event.event] == 0, let time = message.timestamp else { return }
        switch message[FITProfile.Event.eventType] {
        case 0: events.append(TimerEvent(sequence: sequence, time: time, isStart: true))
        case 1, 4, 8, 9: events.append(TimerEvent(sequence: sequence, time: time, isStart: false))
        default: break
        }
    }

    private mutating func readSession(_ message: FITMessage) {
        typealias Field = FITProfile.Session
        sessions.append(
            Session(
                sequence: sequence, start: message.exactly(Field.startTime), end: message.timestamp,
                elapsedInSeconds: message[Field.totalElapsedTime].map(Field.totalElapsedTime.value),
                timerInSeconds: message[Field.totalTimerTime].map(Field.totalTimerTime.value),
                distanceInCentimeters: message.exactly(Field.totalDistance),
                sport: message.exactly(Field.sport), subSport: message.exactly(Field.subSport),
                poolLengthInMeters: message[Field.poolLength].map(Field.poolLength.value)))
    }

    private mutating func readLap(_ message: FITMessage) {
        typealias Field = FITProfile.Lap
        if sport == nil {
            sport = message.exactly(Field.sport)
            subSport = message.exactly(Field.subSport)
        }
        laps.append(
            Lap(
                sequence: sequence, start: message.exactly(Field.startTime), end: message.timestamp,
                elapsedInSeconds: message[Field.totalElapsedTime].map(Field.totalElapsedTime.value)))
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
