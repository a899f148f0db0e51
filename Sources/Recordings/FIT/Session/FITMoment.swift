/// What an activity's file says at a moment, and what its workout is mostly made of.
enum FITMoment: BitwiseCopyable {
    case record(FITRecord)
    case beats(FITBeats)
    /// Follows its record.
    case developer(FITDeveloperValue)

    /// The time in the file, and the place among its messages.
    var place: (time: UInt32, sequence: UInt32) {
        switch self {
        case .record(let record): (record.time, record.sequence)
        case .beats(let beats): (beats.time, beats.sequence)
        case .developer(let value): (value.time, value.sequence)
        }
    }
}

/// RR intervals that came after a record that has a time, and before the next one.
struct FITBeats: BitwiseCopyable {
    /// Place among all messages of the file.
    var sequence: UInt32
    /// The latest time of the records before them; 0 where there is none.
    var time: UInt32
    /// Which of the intervals that whoever read them holds.
    var first: Int
    var count: Int

    var range: Range<Int> { first..<first + count }

    /// So many of them at most, where no record comes between.
    static let limit = 1024
}

extension FITMessage {
    /// The RR intervals of an `hrv` message.
    func appendIntervals(toMilliseconds intervals: inout [UInt16]) {
        guard let times = array(FITProfile.HeartRateVariability.time) else { return }
        for index in 0..<times.count {
            guard let time = times[index], let milliseconds = UInt16(exactly: time) else { continue }
            intervals.append(milliseconds)
        }
    }
}
