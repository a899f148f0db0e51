/// Where in a session's log the records belong that a device wrote while its timer stood still.
///
/// Devices pause by themselves a moment after the wearer has stopped and write a record or two on the way, and one more
/// while they save. Those readings are part of the recording, so they are logged where the timer stopped, ahead of the
/// pause or the end; their own dates stay what they were.
struct FITStillness {
    private let pauses: [FITTimeline.Pause]
    private let end: Double
    private var next = 0

    init(_ timeline: FITTimeline) {
        pauses = timeline.pauses
        end = timeline.end
    }

    /// The place in the log, second and place within it, of a record of this time and place in the file. Records come in
    /// order of time.
    mutating func place(_ seconds: Double, _ sequence: UInt32) -> (Double, UInt32) {
        while next < pauses.count, let pauseEnd = pauses[next].end, pauseEnd <= seconds { next += 1 }
        if next < pauses.count, pauses[next].start < seconds {
            return (pauses[next].start, max(pauses[next].startSequence, 1) - 1)
        }
        return seconds > end ? (end, sequence) : (seconds, sequence)
    }
}
