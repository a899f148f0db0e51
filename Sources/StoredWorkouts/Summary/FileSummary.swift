package import Recordings

/// The content of a file as it was read, without a session: the part `file` of a summary.
package struct FileSummary: Sendable, Equatable {
    package var recording: RecordingSummary
    /// The variability of the file's RR intervals, unfiltered. Nil if it has none.
    package var rr: BeatSummary?

    /// - Parameter sdnn, rmssd: In milliseconds, of `recording.rrIntervalsInMilliseconds`.
    package init(_ recording: RecordingSummary, sdnn: Double? = nil, rmssd: Double? = nil) {
        self.recording = recording
        let count = recording.rrIntervalsInMilliseconds.count
        rr = count == 0 ? nil : BeatSummary(count: count, sdnnInMilliseconds: sdnn, rmssdInMilliseconds: rmssd)
    }
}
