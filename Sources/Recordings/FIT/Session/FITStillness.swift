import Analytics

/// Where in a session's log the readings belong that a device wrote while its timer stood still.
///
/// Devices pause by themselves a moment after the wearer has stopped and write a record or two on the way, in the very
/// second of the stop as well, and one more while they save; the first one after a pause may stand ahead of the event that
/// ends it. All of them are part of the recording. So what was written between a stop and the next start is logged where
/// the timer stopped, ahead of the pause or the end, but for what has the second of that start: that is logged behind it.
/// The dates of the readings stay what they were.
struct FITStillness: Sendable {
    /// A place in the log: second, and place within it.
    typealias Place = (seconds: Double, sequence: UInt32)

    private let pauses: [WorkoutTimes.Pause]
    private let end: Double

    init(_ times: WorkoutTimes) {
        pauses = times.pauses
        end = times.end
    }

    /// The place of what has this time and place in the file.
    func place(_ seconds: Double, _ sequence: UInt32) -> Place {
        guard let pause = pause(of: seconds, sequence) else {
            return seconds > end ? (end, sequence) : (seconds, sequence)
        }
        if isAtEnd(of: pause, seconds) { return (seconds, min(pause.endSequence, .max - 1) + 1) }
        return (pause.start, max(pause.startSequence, 1) - 1)
    }

    /// Since when the timer ran there; nil where it had never stopped. What adds up over time was not added before.
    func runningSince(_ seconds: Double, _ sequence: UInt32) -> Double? {
        if let pause = pause(of: seconds, sequence), isAtEnd(of: pause, seconds) { return seconds }
        let next = nextPause(seconds, sequence)
        return next > 0 ? pauses[next - 1].end : nil
    }

    /// Until then all is in its own place, and the timer runs since as long as it does there.
    func calmEnd(_ seconds: Double, _ sequence: UInt32) -> Double {
        let next = nextPause(seconds, sequence)
        return next < pauses.count ? min(pauses[next].start, end) : end
    }

    private func isAtEnd(of pause: WorkoutTimes.Pause, _ seconds: Double) -> Bool {
        pause.end == seconds && seconds > pause.start
    }

    /// The pause in which this was written; nil where the timer ran.
    private func pause(of seconds: Double, _ sequence: UInt32) -> WorkoutTimes.Pause? {
        let next = nextPause(seconds, sequence)
        guard next < pauses.count, (pauses[next].start, pauses[next].startSequence) < (seconds, sequence) else {
            return nil
        }
        return pauses[next]
    }

    /// The first pause that had not ended before, in the order of the file within a second.
    private func nextPause(_ seconds: Double, _ sequence: UInt32) -> Int {
        pauses.partitioningIndex { pause in pause.end.map { ($0, pause.endSequence) >= (seconds, sequence) } ?? true }
    }
}
