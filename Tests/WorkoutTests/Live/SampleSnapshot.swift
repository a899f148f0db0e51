import Recordings

@testable import workout

extension LiveSnapshot {
    /// A run with everything that a screen can show.
    static var full: LiveSnapshot {
        var snapshot = LiveSnapshot()
        snapshot.activity = "Outdoor running"
        snapshot.phase = .running
        snapshot.heartRateInBeatsPerMinute = 142.4
        snapshot.zone = 3
        snapshot.zoneCount = 5
        snapshot.heartRateHistory = (0..<40).map { $0 == 20 ? nil : 120 + Double($0) / 2 }
        snapshot.elapsedInSeconds = 500
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
