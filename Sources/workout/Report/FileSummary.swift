import Recordings

/// What was read from a file, before any session made something of it: the part `file` of a summary.
struct FileSummary: Sendable, Equatable {
    var recording: RecordingSummary
    /// Of the file's RR intervals, unfiltered; nil when it has none.
    var rr: BeatSummary?

    /// `sdnn` and `rmssd`, in milliseconds, are those of `recording.rrIntervalsInMilliseconds`.
    init(_ recording: RecordingSummary, sdnn: Double? = nil, rmssd: Double? = nil) {
        self.recording = recording
        let count = recording.rrIntervalsInMilliseconds.count
        rr = count == 0 ? nil : BeatSummary(count: count, sdnnInMilliseconds: sdnn, rmssdInMilliseconds: rmssd)
    }
}
