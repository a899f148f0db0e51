import Analytics
import Foundation
import HealthKit
import Recordings

extension WorkoutSummary {
    /// What a finished run came to.
    init(_ run: WorkoutRun.Finished) {
        let state = run.state
        let start = state.workoutStart ?? .distantPast
        let end = max(start, state.workoutEnd ?? start)
        self.init(
            id: run.id, activity: state.header?.activity.activity ?? "other", start: start, end: end,
            elapsedInSeconds: end.timeIntervalSince(start), durationInSeconds: state.activeSeconds(at: end))
        pauses = state.pauses.map { Span(start: $0.start, end: $0.end ?? end) }
        laps = state.events.filter { $0.kind == .lap }.map { lap in
            Lap(lap, in: run)
        }
        parts = state.activities.map { part in
            let partEnd = part.end ?? end
            return Part(
                activity: part.record.activity.activity, start: part.start, end: partEnd,
                durationInSeconds: state.activeSeconds(at: partEnd) - state.activeSeconds(at: part.start),
                averageHeartRate: part.quantities["heartRate"]?.statistics.average)
        }
        events = state.events.map { Event(type: $0.kind.rawValue, start: $0.start, end: $0.end) }
        statistics = state.quantities.compactMap { Statistics(type: $0, $1) }.sorted { $0.identifier < $1.identifier }
        beats = state.beats.count > 0 ? BeatSummary(state.beats) : nil
        zones =
            state.timeInZone.map { time in
                time.inZone.enumerated().map { Zone(zone: $0 + 1, seconds: $1 / .seconds(1)) }
            } ?? []
        sensors = state.sensors.map { Sensor(name: $0.device.name ?? $0.id, kind: $0.kind.rawValue) }
    }
}

extension WorkoutSummary.Lap {
    fileprivate init(_ lap: EventRecord, in run: WorkoutRun.Finished) {
        var heartRate = ValueSummary()
        var meters: Double?
        for entry in run.log {
            guard case .quantity(let reading) = entry.content, reading.start >= lap.start, reading.start < lap.end
            else { continue }
            if reading.type == "heartRate" { heartRate.add(reading.value) }
            if reading.type.hasPrefix("distance") { meters = (meters ?? 0) + reading.value }
        }
        let before = run.state.activeSeconds(at: lap.start)
        self.init(
            start: lap.start, end: lap.end, durationInSeconds: run.state.activeSeconds(at: lap.end) - before,
            distanceInMeters: meters, averageHeartRate: heartRate.mean,
            maximumHeartRate: heartRate.count > 0 ? heartRate.maximum : nil)
    }
}

extension WorkoutSummary.Statistics {
    fileprivate init?(type name: String, _ quantity: SessionState.QuantityState) {
        guard let type = TypeCatalogue.quantityType(named: name) else { return nil }
        let figures = quantity.statistics
        guard figures.count > 0 else { return nil }
        self.init(identifier: type.identifier, unit: quantity.unit, count: figures.count)
        if type.aggregationStyle == .cumulative {
            sum = figures.sum
        } else {
            minimum = figures.minimum
            average = figures.average
            arithmeticMean = figures.arithmeticMean
            maximum = figures.maximum
            mostRecent = figures.mostRecent?.value
        }
    }
}

extension BeatSummary {
    init(_ beats: BeatStatistics) {
        self.init(count: beats.count, sdnnInMilliseconds: beats.sdnn, rmssdInMilliseconds: beats.rmssd)
    }
}

extension FileSummary {
    /// The file's own figures; variability over all its intervals, unfiltered.
    init(_ recording: RecordingSummary) {
        let beats = BeatStatistics(recording.rrIntervalsInMilliseconds)
        self.init(recording, sdnn: beats.sdnn, rmssd: beats.rmssd)
    }
}
