package import Foundation
package import SessionLog

/// The present figures of a session from its log. Unknown ones are nil.
package struct SessionFigures: Sendable, Equatable {
    package var id: UUID
    /// Such as `running`: a case of `HKWorkoutActivityType`.
    package var activity: String
    package var phase: SessionPhase
    package var heartRateInBeatsPerMinute: Double?
    /// The ``SensorStatus/id`` of the sensor of the heart rate.
    package var heartRateSensor: String?
    /// From 1 on. 0 below the first zone. Nil without zones.
    package var zone: Int?
    package var powerInWatts: Double?
    package var paceInSecondsPerKilometer: Double?
    package var speedInMetersPerSecond: Double?
    package var cadencePerMinute: Double?
    package var distanceInMeters: Double?
    package var energyInKilocalories: Double?
    /// From the start until now, including pauses.
    package var elapsedInSeconds: Double
    /// Without pauses.
    package var durationInSeconds: Double
    package var sensors: [SensorStatus]

    package init(
        id: UUID, activity: String, phase: SessionPhase, elapsedInSeconds: Double = 0, durationInSeconds: Double = 0,
        sensors: [SensorStatus] = []
    ) {
        self.id = id
        self.activity = activity
        self.phase = phase
        self.elapsedInSeconds = elapsedInSeconds
        self.durationInSeconds = durationInSeconds
        self.sensors = sensors
    }

    /// The charge of the heart-rate sensor, otherwise of the first sensor with a known charge.
    package var batteryPercent: Int? {
        sensors.first { $0.id == heartRateSensor && $0.batteryPercent != nil }?.batteryPercent
            ?? sensors.lazy.compactMap(\.batteryPercent).first
    }
}
