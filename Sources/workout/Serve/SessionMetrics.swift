import Foundation
import HealthKit
import Recordings
import SessionLog

/// The sessions as Prometheus reads them (text format 0.0.4), in base units, as its naming practice recommends.
enum SessionMetrics {
    static func text(_ all: [Figures], watchers: Int) -> String {
        var lines: [String] = []
        func family(_ name: String, _ kind: String, _ help: String, _ value: (Figures) -> Double?) {
            let samples = all.compactMap { figures in
                value(figures).flatMap { $0.isFinite ? "\(name){\(labels(figures))} \($0)" : nil }
            }
            guard !samples.isEmpty else { return }
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"] + samples
        }
        family("workout_session_running", "gauge", "1 while the clock of the session runs.") {
            $0.snapshot.phase == .running ? 1 : 0
        }
        family("workout_heart_rate_beats_per_minute", "gauge", "The present heart rate.") {
            $0.snapshot.heartRateInBeatsPerMinute
        }
        family("workout_active_seconds", "gauge", "Seconds of the session without pauses.") {
            $0.snapshot.durationInSeconds
        }
        family("workout_distance_meters", "gauge", "Distance of the session.") { $0.snapshot.distanceInMeters }
        family("workout_power_watts", "gauge", "The present power.") { $0.snapshot.powerInWatts }
        family("workout_speed_meters_per_second", "gauge", "The present speed.") { $0.snapshot.metersPerSecond }
        family("workout_active_energy_joules", "gauge", "Active energy of the session.") {
            $0.snapshot.energyInKilocalories.map { $0 * 4_184 }
        }
        family("workout_log_entries", "gauge", "Entries of the session's log.") { Double($0.entryCount) }
        lines += sensors(all)
        lines += [
            "# HELP workout_watching_browsers Browsers that are shown sessions.",
            "# TYPE workout_watching_browsers gauge", "workout_watching_browsers \(watchers)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func sensors(_ all: [Figures]) -> [String] {
        var present: [String] = []
        var batteries: [String] = []
        for figures in all {
            for sensor in figures.snapshot.sensors {
                let labels = "\(labels(figures)),sensor=\"\(escaped(sensor.name))\""
                present.append("workout_sensor_present{\(labels)} \(sensor.presence == .present ? 1 : 0)")
                if let percent = sensor.batteryPercent {
                    batteries.append("workout_sensor_battery_ratio{\(labels)} \(Double(percent) / 100)")
                }
            }
        }
        var lines: [String] = []
        if !present.isEmpty {
            lines += [
                "# HELP workout_sensor_present 1 while readings of the sensor are to be expected.",
                "# TYPE workout_sensor_present gauge",
            ]
            lines += present
        }
        if !batteries.isEmpty {
            lines += [
                "# HELP workout_sensor_battery_ratio Charge of the sensor's battery.",
                "# TYPE workout_sensor_battery_ratio gauge",
            ]
            lines += batteries
        }
        return lines
    }

    private static func labels(_ figures: Figures) -> String {
        "session=\"\(figures.session.id.uuidString)\",activity=\"\(escaped(figures.session.activity))\",athlete=\""
            + "\(escaped(figures.session.athlete ?? ""))\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n")
    }
}

extension LiveSnapshot {
    /// The speed, in whatever form it is shown.
    fileprivate var metersPerSecond: Double? {
        speedInMetersPerSecond ?? paceInSecondsPerKilometer.map { 1_000 / $0 }
    }
}
