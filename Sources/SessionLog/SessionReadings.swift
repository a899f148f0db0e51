public import Foundation

/// A category sample that an app added.
public struct CategoryReading: Sendable, Equatable {
    /// The Swift name of the category type, such as `mindfulSession`.
    public var type: String
    /// The raw value of the enumeration that goes with the type.
    public var value: Int
    /// The start on the session's timeline.
    public var start: Date
    /// The end. It equals the start for the value of an instant.
    public var end: Date
    /// The sample's identity, device and metadata.
    public var origin: SampleOrigin

    /// Creates a reading without checks. Whether the type has the value is checked when a sample is made from it.
    public init(_ type: String, _ value: Int, start: Date, end: Date, origin: SampleOrigin) {
        self.type = type
        self.value = value
        self.start = start
        self.end = end
        self.origin = origin
    }
}

/// A sample of the workout that is stored elsewhere.
public struct ObjectReference: Sendable, Equatable {
    /// The UUID of the sample in the store.
    public var id: UUID
    /// The identifier of its type.
    public var type: String

    /// Creates a reference without looking up the sample.
    public init(id: UUID, type: String) {
        self.id = id
        self.type = type
    }
}

/// The identity and details of a sample that an app added. It is a reference, so that the many readings without one
/// stay small.
public final class SampleOrigin: Sendable, Equatable {
    /// The UUID of the sample.
    public let id: UUID
    /// The device that measured it. Nil if the app named none.
    public let device: DeviceDescription?
    /// Metadata from the app, which may be empty.
    public let metadata: [String: MetadataValue]

    /// Creates an origin, by default without a device and metadata.
    public init(id: UUID, device: DeviceDescription? = nil, metadata: [String: MetadataValue] = [:]) {
        self.id = id
        self.device = device
        self.metadata = metadata
    }

    /// Compares identity, device and metadata.
    public static func == (a: SampleOrigin, b: SampleOrigin) -> Bool {
        a === b || a.id == b.id && a.device == b.device && a.metadata == b.metadata
    }
}

/// RR intervals, oldest first, unfiltered.
public struct BeatReading: Sendable, Equatable {
    /// The times from one beat to the next, oldest first, as the strap sent them, with artefacts.
    public var intervalsInMilliseconds: [Double]
    /// The ID of the sensor that measured them: `SensorStatus.id`. Nil if a file does not state it.
    public var sensor: String?

    /// - Parameter intervalsInMilliseconds: The intervals, oldest first, unfiltered.
    public init(intervalsInMilliseconds: [Double], sensor: String? = nil) {
        self.intervalsInMilliseconds = intervalsInMilliseconds
        self.sensor = sensor
    }
}

/// A workout event with its time span; equal dates for an instant.
public struct EventRecord: Sendable, Equatable {
    /// The kind of event.
    public var kind: Kind
    /// The start on the session's timeline.
    public var start: Date
    /// The end. It equals the start for an instant; only laps and segments last.
    public var end: Date
    /// Metadata from the app or the sensor, which may be empty.
    public var metadata: [String: MetadataValue]
    /// Whether an app added the event. All others come from the session.
    public var isAdded: Bool

    /// The cases of `HKWorkoutEventType`.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The names of `HKWorkoutEventType`, and of the log.
        case pause, resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest
    }

    /// - Parameter isAdded: Whether an app added the event, and not the session.
    public init(
        _ kind: Kind, start: Date, end: Date, metadata: [String: MetadataValue] = [:], isAdded: Bool = false
    ) {
        self.kind = kind
        self.start = start
        self.end = end
        self.metadata = metadata
        self.isAdded = isAdded
    }
}

extension [EventRecord] {
    /// The laps among the events, each with its start.
    ///
    /// A lap without a length only marks the end of a lap, which began where the one before it ended, or with the workout. Apps
    /// for iOS 10 and earlier had no other laps, and some apps still add the moment at which a button was pressed. One that
    /// marks the end of nothing is left out.
    package func laps(workoutStart: Date?) -> [EventRecord] {
        var previousEnd = workoutStart
        return compactMap { event in
            guard event.kind == .lap else { return nil }
            var lap = event
            if lap.end <= lap.start { lap.start = previousEnd ?? lap.start }
            previousEnd = Swift.max(previousEnd ?? lap.end, lap.end)
            return lap.start < lap.end ? lap : nil
        }
    }
}

/// A value in a metadata dictionary, of a kind that HealthKit allows.
public enum MetadataValue: Sendable, Equatable {
    /// Text.
    case string(String)
    /// A number without a unit.
    case number(Double)
    /// True or false. It is not a number, although Foundation bridges one to the other.
    case bool(Bool)
    /// A date with the precision of `Date`.
    case date(Date)
    /// A number with a unit, as `HKUnit.unitString` spells it.
    case quantity(Double, unit: String)
}

/// The properties of a device, as `HKDevice` has them.
public struct DeviceDescription: Sendable, Equatable, Hashable {
    /// The name that its user or maker gave it. Nil if unknown, like every property.
    public var name: String?
    /// The manufacturer.
    public var manufacturer: String?
    /// The model name of the manufacturer.
    public var model: String?
    /// The version of the hardware.
    public var hardwareVersion: String?
    /// The version of the firmware in the device.
    public var firmwareVersion: String?
    /// The version of the software that communicates for the device.
    public var softwareVersion: String?
    /// An identifier of the device on one machine only, such as its Bluetooth address.
    public var localIdentifier: String?
    /// The device identifier of the FDA's unique device identification.
    public var udiDeviceIdentifier: String?

    /// Creates a description, by default without any property.
    public init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil, hardwareVersion: String? = nil,
        firmwareVersion: String? = nil, softwareVersion: String? = nil, localIdentifier: String? = nil,
        udiDeviceIdentifier: String? = nil
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.hardwareVersion = hardwareVersion
        self.firmwareVersion = firmwareVersion
        self.softwareVersion = softwareVersion
        self.localIdentifier = localIdentifier
        self.udiDeviceIdentifier = udiDeviceIdentifier
    }
}

/// The status of a sensor from here on.
public struct SensorStatus: Sendable, Equatable {
    /// The ID of the sensor within the log, to which `QuantityReading.sensor` refers.
    public var id: String
    /// The source of its readings.
    public var kind: Kind
    /// Whether to expect readings.
    public var presence: Presence
    /// The properties of the device, as far as known by now.
    public var device: DeviceDescription
    /// The battery level, 0 … 100.
    public var batteryPercent: Int?

    /// The source of readings: Bluetooth, ANT+, a recording, the simulator, or the app.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// A Bluetooth Low Energy sensor.
        case bluetooth
        /// An ANT+ sensor.
        case ant
        /// A recording that is replayed.
        case replay
        /// The physiological simulator.
        case simulated
        /// The app, which added them itself.
        case app
    }

    /// Whether to expect readings, as the log states it.
    public enum Presence: String, Sendable, Equatable, CaseIterable {
        /// Readings are expected.
        case present
        /// The sensor is out of reach, has no skin contact, or has been silent for too long. What follows is a gap, not
        /// a zero.
        case away
        /// The sensor will not return in this session.
        case gone
    }

    /// The ``id`` of the machine that runs the session, which measures and estimates by itself. It needs no status.
    package static let thisMachine = "this machine"

    /// - Parameter batteryPercent: 0 … 100; nil if the sensor did not report it.
    public init(
        id: String, kind: Kind, presence: Presence, device: DeviceDescription = DeviceDescription(),
        batteryPercent: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.presence = presence
        self.device = device
        self.batteryPercent = batteryPercent
    }
}

/// The bytes of a Bluetooth characteristic, as the sensor sent them.
public struct NotificationRecord: Sendable, Equatable {
    /// The 16-bit number that the SIG assigned, such as 0x2A37.
    public var characteristic: UInt16
    /// The bytes as sent. Numbers have their least significant byte first.
    public var bytes: [UInt8]
    /// The ID of the sensor that sent them: `SensorStatus.id`.
    public var sensor: String?

    /// - Parameter characteristic: The 16-bit number that the SIG assigned.
    public init(characteristic: UInt16, bytes: [UInt8], sensor: String? = nil) {
        self.characteristic = characteristic
        self.bytes = bytes
        self.sensor = sensor
    }
}

/// The wearer of the sensors, as far as known. Zones and energy are computed from it.
public struct WearerProfile: Sendable, Equatable {
    /// The sex for energy formulas. Nil if unknown, like every property.
    public var sex: Sex?
    /// The age in years, with fractions.
    public var ageInYears: Double?
    /// The body mass, from which energy is estimated among other values.
    public var massInKilograms: Double?
    /// The resting heart rate in beats per minute.
    public var restingHeartRate: Double?
    /// The maximum heart rate in beats per minute.
    public var maximumHeartRate: Double?
    /// The maximum oxygen uptake in millilitres per kilogram and minute.
    public var vo2Max: Double?
    /// The lower bounds of the wearer's own zones in beats per minute. Nil for the default zones. Empty if there are
    /// own zones that cannot be computed.
    public var heartRateZoneLowerBounds: [Double]?

    /// The sex as the log states it. For `other`, no energy is estimated, because the studies behind the formulas only
    /// had two sexes.
    public enum Sex: String, Sendable, Equatable, CaseIterable {
        /// The formulas for women are used.
        case female
        /// The formulas for men are used.
        case male
        /// Results that depend on sex are left out.
        case other
    }

    /// Creates a profile. Without arguments nothing is known.
    public init(
        sex: Sex? = nil, ageInYears: Double? = nil, massInKilograms: Double? = nil, restingHeartRate: Double? = nil,
        maximumHeartRate: Double? = nil, vo2Max: Double? = nil, heartRateZoneLowerBounds: [Double]? = nil
    ) {
        self.sex = sex
        self.ageInYears = ageInYears
        self.massInKilograms = massInKilograms
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
        self.vo2Max = vo2Max
        self.heartRateZoneLowerBounds = heartRateZoneLowerBounds
    }
}
