import Synchronization

/// The type, unit and sensor of readings.
///
/// A recording has millions of readings but only about ten kinds. So a kind is one object that all its readings share:
/// to make many readings, make their kinds once.
public final class ReadingKind: Sendable, Hashable {
    /// The Swift name of the quantity type, such as `heartRate` or `distanceCycling`.
    public let type: String
    /// The unit of the values, as `HKUnit.unitString` spells it.
    public let unit: String
    /// The ID of the sensor that measured them: `SensorStatus.id`. Nil if an app added them.
    public let sensor: String?
    /// Stored, because it is needed for every reading.
    @usableFromInline package let isHeartRate: Bool

    /// Creates a kind. Make it once, and share it among the readings.
    public init(_ type: String, unit: String, sensor: String? = nil) {
        self.type = type
        self.unit = unit
        self.sensor = sensor
        isHeartRate = type == Self.heartRateType
    }

    /// Compares type, unit and sensor. Identical objects are found first.
    public static func == (a: ReadingKind, b: ReadingKind) -> Bool {
        a === b || a.type == b.type && a.unit == b.unit && a.sensor == b.sensor
    }

    /// Hashes type, unit and sensor.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(unit)
        hasher.combine(sensor)
    }
}

extension ReadingKind {
    /// The type of heart rates, by the Swift name of `HKQuantityTypeIdentifier.heartRate`. A session computes zones,
    /// beats and energy from them.
    package static let heartRateType = "heartRate"

    /// Returns the kind for heart rates in the unit of sensors and files. Heart rates of one strap share their kind,
    /// although they arrive one by one.
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
