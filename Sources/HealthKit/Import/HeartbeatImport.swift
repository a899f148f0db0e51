import Recordings
import SessionLog

/// The beats that an export has with a heart rate variability, as a heartbeat series.
enum HeartbeatImport {
    /// Beats come to the hundredth of a second and their rates in whole beats a minute; an interval that differs more
    /// from its rate had a gap before its beat.
    private static let toleranceInSeconds = 0.1

    /// Nil when no beat says when it was.
    static func series(of record: HealthRecord, _ plan: RecordPlan) -> ImportedObject? {
        guard let first = record.beats.first(where: { $0.date != nil })?.date else { return nil }
        let start = min(record.startDate, first)
        var beats: [StoredHeartbeat] = []
        for beat in record.beats {
            let interval = beat.beatsPerMinute > 0 ? 60 / beat.beatsPerMinute : 0
            let before = beats.last?.secondsSinceStart
            let expected = before.map { $0 + interval }
            // Dates of our century resolve a ten-millionth of a second; the file's hundredths come out of that exactly.
            let written = beat.date.map { ($0.timeIntervalSince(start) * 1000).rounded() / 1000 }
            guard let seconds = written ?? expected else { continue }
            // Beats have their places in time: one that steps back belongs to a clock that was set.
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
