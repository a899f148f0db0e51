package import Recordings

/// What was read from a file, before any session made something of it: the part `file` of a summary.
package struct FileSummary: Sendable, Equatable {
    package var recording: RecordingSummary
    /// Of the file's RR intervals, unfiltered; nil when it has none.
    package var rr: BeatSummary?

    /// `sdnn` and `rmssd`, in milliseconds, are those of `recording.rrIntervalsInMilliseconds`.
    package init(_ recording: RecordingSummary, sdnn: Double? = nil, rmssd: Double? = nil) {
        self.recording = recording
        let count = recording.rrIntervalsInMilliseconds.count
        rr = count == 0 ? nil : BeatSummary(count: count, sdnnInMilliseconds: sdnn, rmssdInMilliseconds: rmssd)
    }
}
