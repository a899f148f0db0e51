import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

@testable import workout

extension WorkoutSummary {
    /// An hour's run with a pause, on 21 November 2026, 09:00 UTC.
    static var run: WorkoutSummary {
        let start = Date(timeIntervalSince1970: 1_795_251_600)
        var summary = WorkoutSummary(
            id: UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID(), activity: "running", start: start,
            end: start + 3_723.0004, elapsedInSeconds: 3_723.0004, durationInSeconds: 3_600)
        summary.pauses = [Pause(start: start + 1_000, end: start + 1_123)]
        summary.laps = [
            Lap(
                start: start, end: start + 1_000, durationInSeconds: 1_000, distanceInMeters: 3_400,
                averageHeartRate: 138.4, maximumHeartRate: 150),
            Lap(start: start + 1_123, end: start + 3_723, durationInSeconds: 2_600, distanceInMeters: 8_842),
        ]
        summary.events = [Event(type: "lap", start: start, end: start + 1_000)]
        summary.statistics = [
            Statistics(
                identifier: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", count: 3_600, minimum: 92,
                average: 141.66666666666666, arithmeticMean: 141.9, maximum: 178, mostRecent: 150),
            Statistics(
                identifier: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "m", count: 720,
                sum: 12_242.1 + 0.2),
        ]
        summary.beats = BeatSummary(count: 8_500, sdnnInMilliseconds: 41.2, rmssdInMilliseconds: 22.8)
        summary.route = RouteSummary(points: 3_600, distanceInMeters: 12_250.75)
        summary.zones = [
            Zone(zone: 1, seconds: 300), Zone(zone: 2, seconds: 900), Zone(zone: 3, seconds: 1_800),
            Zone(zone: 4, seconds: 600), Zone(zone: 5, seconds: 0),
        ]
        summary.sensors = [Sensor(name: "Polar \"H10\"", kind: "replay")]
        return summary
    }

    /// A workout of which only the times are known.
    static var empty: WorkoutSummary {
        let start = Date(timeIntervalSince1970: 0)
        return WorkoutSummary(
            id: UUID(uuidString: "00000000-0000-0000-0000-000000000002") ?? UUID(), activity: "other", start: start,
            end: start + 60, elapsedInSeconds: 60, durationInSeconds: 60)
    }
}

extension FileSummary {
    static var fit: FileSummary {
        var recording = RecordingSummary(format: "fit")
        recording.records = 3
        for rate in [92.0, 141, 178] { recording.heartRate.add(rate) }
        recording.rrIntervalsInMilliseconds = [800, 810, 790]
        recording.laps = 2
        recording.sessions = 1
        recording.elapsedInSeconds = 3_723
        recording.timerInSeconds = 3_600
        recording.warnings = [
            RecordingWarning(
                byte: 10_755,
                message:
                    "the message has a local type that no definition came before, so it was left out of the recording")
        ]
        return FileSummary(recording, sdnn: 10, rmssd: 15.811388300841896)
    }

    static var empty: FileSummary { FileSummary(RecordingSummary(format: "jsonl")) }
}
