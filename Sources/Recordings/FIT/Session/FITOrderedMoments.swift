/// The moments of an activity in order of time. Moments of the same second keep the order of the file.
struct FITOrderedMoments {
    private let source: FITMoments
    private var piece: [FITMoment] = []
    private var intervals: [UInt16] = []
    private var handedOut = 0
    /// Records that step back in time, sorted. They are skipped at their place in the file.
    private let late: [FITRecord]
    private var lateTaken = 0
    private var latest: UInt32 = 0
    private var upcoming: FITMoment?

    init(_ moments: FITMoments, late: [FITRecord]) {
        source = moments
        self.late = late
    }

    /// Returns nil at the end.
    mutating func next() throws(RecordingError) -> FITMoment? {
        if late.isEmpty { return try nextOfFile() }
        if upcoming == nil { upcoming = try nextInTime() }
        guard lateTaken < late.count else { return takeUpcoming() }
        let record = late[lateTaken]
        if let upcoming, upcoming.place < (record.time, record.sequence) { return takeUpcoming() }
        lateTaken += 1
        return .record(record)
    }

    private mutating func takeUpcoming() -> FITMoment? {
        defer { upcoming = nil }
        return upcoming
    }

    private mutating func nextInTime() throws(RecordingError) -> FITMoment? {
        while let moment = try nextOfFile() {
            switch moment {
            case .record(let record):
                guard record.time >= latest else { continue }
                latest = record.time
                return moment
            // Skip the fields of late records.
            case .developer(let value) where value.time < latest: continue
            case .developer, .beats: return moment
            }
        }
        return nil
    }

    @inline(__always)
    private mutating func nextOfFile() throws(RecordingError) -> FITMoment? {
        if handedOut == piece.count {
            // Released first, so that the buffers are not held twice while they are filled.
            (piece, intervals, handedOut) = ([], [], 0)
            (piece, intervals) = try source.next()
            if piece.isEmpty { return nil }
        }
        handedOut += 1
        return piece[handedOut - 1]
    }

    /// Returns the intervals of the last returned moment.
    func intervals(of beats: FITBeats) -> ArraySlice<UInt16> { intervals[beats.range] }

    /// The names of the developer fields found so far.
    var developerFields: [FITDeveloperFields.Name] { source.developerFields }

    /// The number of records read so far.
    var records: Int { source.records }

    /// The position of the decoder in the file.
    var position: Int { source.position }
}
