/// The records and RR intervals of an activity, read from its file again in the order of the file.
///
/// The file is decoded in pieces when moments are needed, so memory does not grow with it.
final class FITMoments {
    private let bytes: RecordingBytes
    private let byte: Int
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    private var decoder: FITDecoder
    private var reader: FITMomentReader
    private var isAtEnd = false

    /// - Parameters:
    ///   - clock: Leaves out records whose time cannot belong to the activity; nil leaves out none.
    ///   - memory: Stored heart rates to merge into the records.
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

    /// Returns the moments of the next piece of the file that has any, and the intervals that they refer to. Both are
    /// empty at the end.
    func next() throws(RecordingError) -> (moments: [FITMoment], intervals: [UInt16]) {
        reader.forget()
        while reader.moments.isEmpty, !isAtEnd, !reader.isOver { try readPiece() }
        return (reader.moments, reader.intervals)
    }

    /// Calls `body` for each moment that is left.
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

    /// The heart rates of records that were left out because of their time.
    var leftOut: ValueSummary { reader.leftOut }

    /// The names of the developer fields found so far.
    var developerFields: [FITDeveloperFields.Name] { reader.developerFields.names }

    /// The number of records returned so far.
    var records: Int { reader.records }

    /// The position of the decoder in the file.
    var position: Int { byte + decoder.position }
}

/// Collects the moments of one activity from its messages.
private struct FITMomentReader: FITMessageReader {
    private let extent: FITExtent
    private let clock: FITClock?
    private let memory: FITHeartRateMemory
    private var merging = FITHeartRateMemory.Merging()
    private var compressed = FITCompressedDistance()
    /// The index in the chain of files, or −1 before the first.
    private var file = -1
    private var sequence: UInt32
    /// Whether the last record with a time belongs to this activity.
    private var isOwn: Bool
    private var latest: UInt32 = 0
    /// The intervals since that record.
    private var waiting: [UInt16] = []
    private var waitingSequence: UInt32 = 0

    private(set) var developerFields = FITDeveloperFields()
    private(set) var moments: [FITMoment] = []
    private(set) var intervals: [UInt16] = []
    private(set) var records = 0
    private(set) var leftOut = ValueSummary()
    /// Whether all that follows belongs to other activities.
    private(set) var isOver = false

    init(_ extent: FITExtent, clock: FITClock?, memory: FITHeartRateMemory) {
        self.extent = extent
        self.clock = clock
        self.memory = memory
        sequence = extent.messages
        isOwn = (extent.part?.index ?? 0) == 0
    }

    /// Removes what was handed out.
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

    /// Ends the waiting intervals: something else comes next.
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
