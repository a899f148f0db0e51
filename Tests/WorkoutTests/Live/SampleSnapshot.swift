import Analytics
import Foundation
import HealthKit
import SessionLog

@testable import workout

extension LiveSnapshot {
    /// A run with everything that a screen can show.
    static var full: LiveSnapshot {
        var snapshot = LiveSnapshot()
        snapshot.activity = "Outdoor running"
        snapshot.phase = .running
        snapshot.heartRateInBeatsPerMinute = 142.4
        snapshot.zones = HeartRateZones(maximumHeartRate: 190)
        snapshot.averageHeartRate = 131.7
        snapshot.maximumHeartRate = 140
        snapshot.timeOfDay = "09:10"
        snapshot.heartRates = .rising
        snapshot.durationInSeconds = 500
        snapshot.elapsedInSeconds = 560
        snapshot.lapNumber = 3
        snapshot.lapElapsedInSeconds = 72
        snapshot.completedLapsInSeconds = [214, 3_725]
        snapshot.distanceInMeters = 1_712
        snapshot.paceInSecondsPerKilometer = 292
        snapshot.powerInWatts = 251
        snapshot.energyInKilocalories = 104
        snapshot.sensors = [
            Sensor(name: "Polar H10", kind: .replay, presence: .present, batteryPercent: 85),
            Sensor(name: "foot pod", kind: .bluetooth, presence: .away),
        ]
        snapshot.replay = ReplayProgress(fraction: 0.25, speed: 60)
        snapshot.messages = ["lap 2 ended"]
        snapshot.warnings = ["byte 10755: unknown message"]
        return snapshot
    }
}

extension HeartRateTimeline {
    /// From 80 to 173 over nine minutes and twenty seconds, one value a second, with a gap of forty seconds.
    static var rising: HeartRateTimeline {
        let start = Date(timeIntervalSince1970: 1_795_251_600)
        let seconds = (0...560).filter { !(300..<340).contains($0) }.map(Double.init)
        return HeartRateTimeline(start, seconds.map { (seconds: $0, beatsPerMinute: 80.0 + $0 / 6) })
    }

    /// Heart rates this many seconds after the start.
    init(_ start: Date, _ rates: [(seconds: Double, beatsPerMinute: Double)]) {
        self.init()
        take(SessionEntry(start, .state(.running)))
        for (seconds, rate) in rates { take(.heartRate(rate, at: start + seconds)) }
    }
}

extension SessionEntry {
    static func heartRate(_ beatsPerMinute: Double, at date: Date, sensor: String? = "strap") -> SessionEntry {
        SessionEntry(
            date,
            .quantity(
                QuantityReading(
                    QuantityReading.heartRateType, beatsPerMinute, unit: "count/min", start: date, end: date,
                    sensor: sensor)))
    }
}
