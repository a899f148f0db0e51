/// The records and RR intervals of an activity, read from its file again, in the order of the file.
///
/// The file is decoded a piece at a time, when moments are asked for: memory does not grow with it.
final class FITMoments {
    private let bytes: RecordingBytes
    private let byte: Int
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    private var decoder: FITDecoder
    private var reader: FITMomentReader
    private var isAtEnd = false

    /// - Parameters:
    ///   - clock: Leaves out records whose time cannot be of the activity; nil leaves out none.
    ///   - memory: Heart rates that the records get.
    init(
        _ source: RecordingSource, _ extent: FITExtent, clock: FITClock?, memory: FITHeartRateMemory
    ) throws(RecordingError) {
        bytes = try source.open()
        byte = extent.byte
        decoder = FITDecoder(isVerifying: !extent.isSound)
        try bytes.skip(extent.byte)
        reader = FITMomentReader(extent, clock: clock, memory: memory)
    }

    deinit { room.deallocate() }

    /// Those of the next piece of the file that has any, and the intervals that they name; none at the end.
    func next() throws(RecordingError) -> (moments: [FITMoment], intervals: [UInt16]) {
        reader.forget()
        while reader.moments.isEmpty, !isAtEnd, !reader.isOver { try readPiece() }
        return (reader.moments, reader.intervals)
    }

    /// All that are left, one after the other.
    func forEach(_ body: (FITMoment, [UInt16]) -> Void) throws(RecordingError) {
        while case let (moments, intervals) = try next(), !moments.isEmpty {
            for moment in moments { body(moment, intervals) }
        }
    }

    private func readPiece() throws(RecordingError) {
        let count = try bytes.read(into: room)
        if count > 0 {
            decoder.read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]), into: &reader)
        } else {
            decoder.finish(into: &reader)
            reader.finish()
            isAtEnd = true
        }
    }

    /// Heart rates of records that were left out because of their time.
    var leftOut: ValueSummary { reader.leftOut }

    /// What the developer fields are called that were given so far.
    var developerFields: [FITDeveloperFields.Name] { reader.developerFields.names }

    /// How many records were given so far.
    var records: Int { reader.records }

    /// Where the decoder is in the file.
    var position: Int { byte + decoder.position }
}

/// Takes the moments of one activity out of messages.
private struct FITMomentReader: FITMessageReader {
    private let extent: FITExtent
    private let clock: FITClock?
    private let memory: FITHeartRateMemory
    private var merging = FITHeartRateMemory.Merging()
    private var compressed = FITCompressedDistance()
    /// Of the chain; −1 before the first.
    private var file = -1
    private var sequence: UInt32
    /// Of the file's records that have a time, the last one was of this activity.
    private var isOwn: Bool
    private var latest: UInt32 = 0
    /// Since that record.
    private var waiting: [UInt16] = []
    private var waitingSequence: UInt32 = 0

    private(set) var developerFields = FITDeveloperFields()
    private(set) var moments: [FITMoment] = []
    private(set) var intervals: [UInt16] = []
    private(set) var records = 0
    private(set) var leftOut = ValueSummary()
    /// What follows is of other activities.
    private(set) var isOver = false

    init(_ extent: FITExtent, clock: FITClock?, memory: FITHeartRateMemory) {
        self.extent = extent
        self.clock = clock
        self.memory = memory
        sequence = extent.messages
        isOwn = (extent.part?.index ?? 0) == 0
    }

    /// What was read so far was handed out.
    mutating func forget() {
        moments.removeAll(keepingCapacity: true)
        intervals.removeAll(keepingCapacity: true)
    }

    mutating func begin(byte: Int) {
        finish()
        compressed = FITCompressedDistance()
        file += 1
        isOver = file >= extent.files
    }

    mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
        self.developerFields.define(local: local, number: number, developerFields)
    }

    /// Nothing more comes between these intervals and what is next.
    mutating func finish() {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard isOwn, !waiting.isEmpty else { return }
        moments.append(
            .beats(FITBeats(sequence: waitingSequence, time: latest, first: intervals.count, count: waiting.count)))
        intervals += waiting
    }

    mutating func read(_ message: FITMessage) {
        guard !isOver else { return }
        sequence = sequence == UInt32.max ? sequence : sequence + 1
        switch message.number {
        case FITProfile.MessageNumber.record: readRecord(message)
        case FITProfile.MessageNumber.heartRateVariability:
            if waiting.count >= FITBeats.limit { finish() }
            if waiting.isEmpty { waitingSequence = sequence }
            message.appendIntervals(toMilliseconds: &waiting)
        default: break
        }
    }

    @inline(__always)
    private mutating func readRecord(_ message: FITMessage) {
        var record = FITRecord(message, sequence: sequence, &compressed)
        guard record.hasTime else { return }
        if !waiting.isEmpty { finish() }
        if let part = extent.part {
            isOwn = part.index(of: record.time) == part.index
            guard isOwn else { return }
        }
        if let clock, clock.seconds(record.time) == nil {
            if record.hasHeartRate { leftOut.add(Double(record.heartRate)) }
            return
        }
        if !memory.readings.isEmpty { merging.merge(memory, into: &record) }
        latest = max(latest, record.time)
        records += 1
        moments.append(.record(record))
        if developerFields.has(local: message.local) { addDeveloperValues(message, of: record) }
    }
    private mutating func addDeveloperValues(_ message: FITMessage, of record: FITRecord) {
        developerFields.forEach(message) { field, value in
            moments.append(
                .developer(
                    FITDeveloperValue(
                        sequence: record.sequence, time: record.time, field: UInt32(field), value: value)))
        }
    }
}
