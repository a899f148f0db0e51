import Synchronization

/// What readings are of: their type, their unit, and the sensor that measured them.
///
/// A recording has millions of readings and some ten kinds of them. So a kind is one object that all its readings share:
/// whoever makes many readings makes their kinds once.
public final class ReadingKind: Sendable, Hashable {
    /// The Swift name of the quantity type, such as `heartRate` or `distanceCycling`.
    public let type: String
    /// The unit of the values, as `HKUnit.unitString` spells it.
    public let unit: String
    /// The sensor that measured them: `SensorStatus.id`. Nil when an app added them.
    public let sensor: String?
    /// Asked of every reading.
    @usableFromInline package let isHeartRate: Bool

    /// A kind of its own: make it once, and share it among the readings.
    public init(_ type: String, unit: String, sensor: String? = nil) {
        self.type = type
        self.unit = unit
        self.sensor = sensor
        isHeartRate = type == Self.heartRateType
    }

    /// Equal when type, unit and sensor are; one and the same object is found out first.
    public static func == (a: ReadingKind, b: ReadingKind) -> Bool {
        a === b || a.type == b.type && a.unit == b.unit && a.sensor == b.sensor
    }

    /// Of type, unit and sensor.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(unit)
        hasher.combine(sensor)
    }
}

extension ReadingKind {
    /// The type of heart rates, by the Swift name of `HKQuantityTypeIdentifier.heartRate`: what a session makes zones, beats
    /// and energy of.
    package static let heartRateType = "heartRate"

    /// Heart rates, as sensors and files tell them. Those of one strap share their kind, although they come one by one.
    package static func heartRate(sensor: String?) -> ReadingKind {
        latestHeartRate.withLock { latest in
            if let latest, latest.sensor == sensor { return latest }
            let kind = ReadingKind(heartRateType, unit: "count/min", sensor: sensor)
            latest = kind
            return kind
        }
    }

    private static let latestHeartRate = Mutex<ReadingKind?>(nil)
}
