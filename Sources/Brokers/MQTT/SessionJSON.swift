import Foundation
import SessionLog

/// The payload of ``SessionTopics/session``. Unknown members are left out.
struct SessionJSON: Encodable, Equatable {
    var version = SessionTopics.version
    var id: String
    var activity: String
    var state: String
    var heartRate: Double?
    var zone: Int?
    var power: Double?
    var pace: Double?
    var speed: Double?
    var cadence: Double?
    var distance: Double?
    var energy: Double?
    var elapsed: Double
    var duration: Double
    /// By the sensors' IDs in the spelling of ``SessionTopics/level(_:)``, so that templates can use them.
    var sensors: [String: Sensor]

    struct Sensor: Encodable, Equatable {
        var name: String
        var state: String
        var battery: Int?
        var heartRate: Double?
    }

    init(_ figures: SessionFigures) {
        id = figures.id.uuidString
        activity = figures.activity
        state = figures.phase.rawValue
        heartRate = figures.heartRateInBeatsPerMinute.flatMap { Self.rounded($0, to: 1) }
        zone = figures.zone
        power = figures.powerInWatts.flatMap { Self.rounded($0, to: 0) }
        pace = figures.paceInSecondsPerKilometer.flatMap { Self.rounded($0, to: 0) }
        speed = figures.speedInMetersPerSecond.flatMap { Self.rounded($0, to: 2) }
        cadence = figures.cadencePerMinute.flatMap { Self.rounded($0, to: 0) }
        distance = figures.distanceInMeters.flatMap { Self.rounded($0, to: 0) }
        energy = figures.energyInKilocalories.flatMap { Self.rounded($0, to: 0) }
        elapsed = Self.rounded(figures.elapsedInSeconds, to: 0) ?? 0
        duration = Self.rounded(figures.durationInSeconds, to: 0) ?? 0
        sensors = [:]
        for sensor in figures.sensors {
            sensors[SessionTopics.level(sensor.id)] = Sensor(
                name: sensor.device.name ?? sensor.id, state: sensor.presence.rawValue, battery: sensor.batteryPercent,
                heartRate: sensor.id == figures.heartRateSensor ? heartRate : nil)
        }
    }

    /// JSON has only finite numbers.
    static func rounded(_ value: Double, to decimals: Int) -> Double? {
        guard value.isFinite, abs(value) < 1e12 else { return nil }
        let scale = pow(10, Double(decimals))
        return (value * scale).rounded() / scale
    }
}

extension Encodable {
    /// Returns the value as JSON, in one spelling. Nil if JSON cannot represent it, so that callers leave it out.
    var jsonPayload: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
