import Analytics

/// Places readings in a session's log that a device wrote while its timer was stopped.
///
/// Devices pause automatically a moment after the wearer has stopped. They write a record or two in between, also in
/// the second of the stop itself, and one more while they save. The first record after a pause may come before the
/// event that ends it. All of these belong to the recording. So readings between a stop and the next start are logged
/// where the timer stopped, before the pause or the end. Only readings in the second of the next start are logged after
/// that start. The readings keep their dates.
struct FITStillness: Sendable {
    /// A place in the log: the second, and the place within it.
    typealias Place = (seconds: Double, sequence: UInt32)

    private let pauses: [WorkoutTimes.Pause]
    private let end: Double

    init(_ times: WorkoutTimes) {
        pauses = times.pauses
        end = times.end
    }

    /// Returns the place in the log of an item with this time and place in the file.
    func place(_ seconds: Double, _ sequence: UInt32) -> Place {
        guard let pause = pause(of: seconds, sequence) else {
            return seconds > end ? (end, sequence) : (seconds, sequence)
        }
        if isAtEnd(of: pause, seconds) { return (seconds, min(pause.endSequence, .max - 1) + 1) }
        return (pause.start, max(pause.startSequence, 1) - 1)
    }

    /// Returns when the timer last started before this place, or nil if it had never stopped. A value that adds up over
    /// time did not grow before that.
    func runningSince(_ seconds: Double, _ sequence: UInt32) -> Double? {
        if let pause = pause(of: seconds, sequence), isAtEnd(of: pause, seconds) { return seconds }
        let next = nextPause(seconds, sequence)
        return next > 0 ? pauses[next - 1].end : nil
    }

    /// Returns the time until which every item keeps its own place and the timer does not stop.
    func calmEnd(_ seconds: Double, _ sequence: UInt32) -> Double {
        let next = nextPause(seconds, sequence)
        return next < pauses.count ? min(pauses[next].start, end) : end
    }

    private func isAtEnd(of pause: WorkoutTimes.Pause, _ seconds: Double) -> Bool {
        pause.end == seconds && seconds > pause.start
    }

    /// Returns the pause in which an item was written, or nil if the timer ran.
    private func pause(of seconds: Double, _ sequence: UInt32) -> WorkoutTimes.Pause? {
        let next = nextPause(seconds, sequence)
        guard next < pauses.count, (pauses[next].start, pauses[next].startSequence) < (seconds, sequence) else {
            return nil
        }
        return pauses[next]
    }

    /// Returns the index of the first pause that had not ended before this place. Within a second the order of the file
    /// counts.
    private func nextPause(_ seconds: Double, _ sequence: UInt32) -> Int {
        pauses.partitioningIndex { pause in pause.end.map { ($0, pause.endSequence) >= (seconds, sequence) } ?? true }
    }
}
