/// The parts of an activity's file that make up most of its workout.
enum FITMoment: BitwiseCopyable {
    case record(FITRecord)
    case beats(FITBeats)
    /// A developer field. It follows its record.
    case developer(FITDeveloperValue)

    /// The time in the file, and the index among its messages.
    var place: (time: UInt32, sequence: UInt32) {
        switch self {
        case .record(let record): (record.time, record.sequence)
        case .beats(let beats): (beats.time, beats.sequence)
        case .developer(let value): (value.time, value.sequence)
        }
    }
}

/// RR intervals between a record with a time and the next one.
struct FITBeats: BitwiseCopyable {
    /// The index among all messages of the file.
    var sequence: UInt32
    /// The latest time of the records before them, or 0 if there is none.
    var time: UInt32
    /// The index of the first interval among those of the reader.
    var first: Int
    var count: Int

    var range: Range<Int> { first..<first + count }

    /// The most intervals in one value if no record comes between.
    static let limit = 1024
}

extension FITMessage {
    /// Appends the RR intervals of an `hrv` message.
    func appendIntervals(toMilliseconds intervals: inout [UInt16]) {
        guard let times = array(FITProfile.HeartRateVariability.time) else { return }
        for index in 0..<times.count {
            guard let time = times[index], let milliseconds = UInt16(exactly: time) else { continue }
            intervals.append(milliseconds)
        }
    }
}
