import Foundation
import GATT
import SessionLog

/// Summarises a session log entry by entry, in the order of the file.
///
/// A log may hold heart rates and RR intervals as readings, as packets, or as both. Packets only count if there are no
/// readings of their kind, so that no beat counts twice. Values in a pause do not count, as in the session made from
/// the log: see ``SessionPauses``.
struct SessionLogSummary {
    private var summary = RecordingSummary(format: "jsonl")
    private var hasHeader = false
    private var parts = 0
    private var pauses = SessionPauses()
    private var clock = Clock()
    private var packetHeartRate = ValueSummary()
    private var packetIntervalsInMilliseconds: [Double] = []

    mutating func add(_ entry: SessionEntry) {
        switch entry.content {
        case .header:
            closeWorkout()
            hasHeader = true
            return
        case .state(let phase):
            clock.change(to: phase, at: entry.date)
            pauses.change(to: phase, at: entry.date)
            return
        case .activityBegan:
            parts += 1
        case .quantity(let reading):
            if reading.isHeartRate,
                reading.origin != nil || pauses.countsWhole(from: reading.start, to: reading.end)
            {
                addHeartRate(reading.value, unit: reading.unit)
            }
        case .beats(let reading):
            if pauses.counts(entry.date) {
                summary.rrIntervalsInMilliseconds += reading.intervalsInMilliseconds.filter { $0 > 0 }
            }
        case .event(let record):
            if record.kind == .lap { summary.laps += 1 }
        case .notification(let record):
            if pauses.counts(entry.date) { addNotification(record) }
        case .collection, .activityEnded, .activityMetadata, .waveform, .position, .routeDiscarded, .category,
            .metadata, .sensor, .object, .wearer, .zones, .remoteData, .companion, .clockSet:
            break
        }
        summary.records += 1
    }

    mutating func finish() -> RecordingSummary {
        closeWorkout()
        if summary.heartRate.count == 0 { summary.heartRate = packetHeartRate }
        if summary.rrIntervalsInMilliseconds.isEmpty {
            summary.rrIntervalsInMilliseconds = packetIntervalsInMilliseconds
        }
        return summary
    }

    private mutating func addHeartRate(_ value: Double, unit: String) {
        let perMinute: Double
        switch unit {
        case "count/min": perMinute = value
        case "count/s", "Hz": perMinute = value * 60
        default: return
        }
        if perMinute > 0 { summary.heartRate.add(perMinute) }
    }

    private mutating func addNotification(_ record: NotificationRecord) {
        guard record.characteristic == HeartRateMeasurement.characteristic else { return }
        for entry in SessionEntry.readings(
            ofHeartRateMeasurement: record.bytes, at: .distantPast, sensor: record.sensor)
        {
            switch entry.content {
            case .quantity(let reading): packetHeartRate.add(reading.value)
            case .beats(let reading):
                packetIntervalsInMilliseconds += reading.intervalsInMilliseconds.filter { $0 > 0 }
            default: break
            }
        }
    }

    /// Ends a workout at the header of the next one. A multisport workout counts one session per sport.
    private mutating func closeWorkout() {
        summary.sessions += max(hasHeader ? 1 : 0, parts)
        if let elapsed = clock.elapsed {
            summary.elapsedInSeconds = (summary.elapsedInSeconds ?? 0) + elapsed
            summary.timerInSeconds = (summary.timerInSeconds ?? 0) + clock.timer
        }
        hasHeader = false
        parts = 0
        pauses = SessionPauses()
        clock = Clock()
    }

    /// The time from the first `running` to `stopped`, or to `ended` if the session was not stopped before.
    private struct Clock {
        private var start: Date?
        private var end: Date?
        private var runningSince: Date?
        private(set) var timer = 0.0

        var elapsed: Double? {
            guard let start, let end else { return nil }
            return end.timeIntervalSince(start)
        }

        mutating func change(to phase: SessionPhase, at date: Date) {
            switch phase {
            case .notStarted, .prepared:
                break
            case .running:
                start = start ?? date
                runningSince = runningSince ?? date
            case .paused:
                stopTimer(date)
            case .stopped, .ended:
                stopTimer(date)
                end = end ?? date
            }
        }

        private mutating func stopTimer(_ date: Date) {
            if let since = runningSince { timer += date.timeIntervalSince(since) }
            runningSince = nil
        }
    }
}
