/// The moments of an activity in order of time; those of one second stay in the order of the file.
struct FITOrderedMoments {
    private let source: FITMoments
    private var piece: [FITMoment] = []
    private var intervals: [UInt16] = []
    private var handedOut = 0
    /// Records that step back in time, in order: they are left out where they stand in the file.
    private let late: [FITRecord]
    private var lateTaken = 0
    private var latest: UInt32 = 0
    private var upcoming: FITMoment?

    init(_ moments: FITMoments, late: [FITRecord]) {
        source = moments
        self.late = late
    }

    /// Nil at the end.
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
            // Those of late records are left out.
            case .developer(let value) where value.time < latest: continue
            case .developer, .beats: return moment
            }
        }
        return nil
    }

    @inline(__always)
    private mutating func nextOfFile() throws(RecordingError) -> FITMoment? {
        if handedOut == piece.count {
            // Not held twice while it is filled.
            (piece, intervals, handedOut) = ([], [], 0)
            (piece, intervals) = try source.next()
            if piece.isEmpty { return nil }
        }
        handedOut += 1
        return piece[handedOut - 1]
    }

    /// Of the moment that was given last.
    func intervals(of beats: FITBeats) -> ArraySlice<UInt16> { intervals[beats.range] }

    /// What the developer fields are called that were given so far.
    var developerFields: [FITDeveloperFields.Name] { source.developerFields }

    /// How many records were read so far.
    var records: Int { source.records }

    /// Where the decoder is in the file.
    var position: Int { source.position }
}
