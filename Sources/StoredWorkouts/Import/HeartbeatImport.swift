import Recordings
import SessionLog

/// Creates a heartbeat series from the beats that an export contains with a heart rate variability.
enum HeartbeatImport {
    /// The tolerance for intervals. Beats have hundredths of a second and their rates whole beats per minute. If an
    /// interval differs more from its rate, there was a gap before its beat.
    private static let toleranceInSeconds = 0.1

    /// Returns nil if no beat has a time.
    static func series(of record: HealthRecord, _ plan: RecordPlan) -> ImportedObject? {
        guard let first = record.beats.first(where: { $0.date != nil })?.date else { return nil }
        let start = min(record.startDate, first)
        var beats: [StoredHeartbeat] = []
        for beat in record.beats {
            let interval = beat.beatsPerMinute > 0 ? 60 / beat.beatsPerMinute : 0
            let before = beats.last?.secondsSinceStart
            let expected = before.map { $0 + interval }
            // A date of this century resolves a ten-millionth of a second, which gives the file's hundredths exactly.
            let written = beat.date.map { ($0.timeIntervalSince(start) * 1000).rounded() / 1000 }
            guard let seconds = written ?? expected else { continue }
            // Beats are in order of time. One that steps back comes from a clock that was set.
            guard seconds >= before ?? 0 else { continue }
            let hasGap = expected.map { abs(seconds - $0) > toleranceInSeconds } ?? false
            beats.append(StoredHeartbeat(secondsSinceStart: seconds, precededByGap: hasGap))
        }
        guard let last = beats.last else { return nil }
        var print = record.fingerprint
        print.combine("HeartbeatSeries")
        let sample = try? HKHeartbeatSeriesSample.validated(
            ObjectIdentity(uuid: print.uuid, sourceRevision: plan.revision, device: plan.device), count: beats.count,
            start: start, end: max(record.endDate, start + last.secondsSinceStart))
        return sample.map { ImportedObject(sample: $0, series: .heartbeats(beats)) }
    }
}
