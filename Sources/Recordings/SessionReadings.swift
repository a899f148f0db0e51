public import Foundation

/// A category sample that an app added.
public struct CategoryReading: Sendable, Equatable {
    /// The Swift name of the category type, such as `mindfulSession`.
    public var type: String
    public var value: Int
    public var start: Date
    public var end: Date
    public var origin: SampleOrigin

    public init(_ type: String, _ value: Int, start: Date, end: Date, origin: SampleOrigin) {
        self.type = type
        self.value = value
        self.start = start
        self.end = end
        self.origin = origin
    }
}

/// A sample that belongs to the workout and is kept elsewhere.
public struct ObjectReference: Sendable, Equatable {
    public var id: UUID
    /// The identifier of its type.
    public var type: String

    public init(id: UUID, type: String) {
        self.id = id
        self.type = type
    }
}

/// What a sample that an app added carries beyond its value. A reference, so that the many readings without one stay
/// small.
public final class SampleOrigin: Sendable, Equatable {
    public let id: UUID
    public let device: DeviceDescription?
    public let metadata: [String: MetadataValue]

    public init(id: UUID, device: DeviceDescription? = nil, metadata: [String: MetadataValue] = [:]) {
        self.id = id
        self.device = device
        self.metadata = metadata
    }

    public static func == (a: SampleOrigin, b: SampleOrigin) -> Bool {
        a === b || a.id == b.id && a.device == b.device && a.metadata == b.metadata
    }
}

/// RR intervals, oldest first, unfiltered.
public struct BeatReading: Sendable, Equatable {
    public var intervalsInMilliseconds: [Double]
    public var sensor: String?

    public init(intervalsInMilliseconds: [Double], sensor: String? = nil) {
        self.intervalsInMilliseconds = intervalsInMilliseconds
        self.sensor = sensor
    }
}

/// A workout event with its interval; equal dates for an instant.
public struct EventRecord: Sendable, Equatable {
    public var kind: Kind
    public var start: Date
    public var end: Date
    public var metadata: [String: MetadataValue]
    /// An app added it; the others the session generated.
    public var isAdded: Bool

    /// The cases of `HKWorkoutEventType`.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        case pause, resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest
    }

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

/// A value of a metadata dictionary: what HealthKit allows there.
public enum MetadataValue: Sendable, Equatable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case date(Date)
    case quantity(Double, unit: String)
}

/// The properties of a device, as `HKDevice` has them.
public struct DeviceDescription: Sendable, Equatable, Hashable {
    public var name: String?
    public var manufacturer: String?
    public var model: String?
    public var hardwareVersion: String?
    public var firmwareVersion: String?
    public var softwareVersion: String?
    public var localIdentifier: String?
    public var udiDeviceIdentifier: String?

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

/// What is known of a sensor from here on.
public struct SensorStatus: Sendable, Equatable {
    /// Names the sensor within the log: what `QuantityReading.sensor` refers to.
    public var id: String
    public var kind: Kind
    public var presence: Presence
    public var device: DeviceDescription
    /// 0 … 100.
    public var batteryPercent: Int?

    public enum Kind: String, Sendable, Equatable, CaseIterable { case bluetooth, replay, simulated, app }

    public enum Presence: String, Sendable, Equatable, CaseIterable {
        /// Readings are to be expected.
        case present
        /// Out of reach, or without skin contact, or silent for too long: what follows is a gap, not a zero.
        case away
        /// Will not come back in this session.
        case gone
    }

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

/// Bytes of a Bluetooth characteristic, as the sensor sent them.
public struct NotificationRecord: Sendable, Equatable {
    /// The 16-bit number that the SIG assigned, such as 0x2A37.
    public var characteristic: UInt16
    public var bytes: [UInt8]
    public var sensor: String?

    public init(characteristic: UInt16, bytes: [UInt8], sensor: String? = nil) {
        self.characteristic = characteristic
        self.bytes = bytes
        self.sensor = sensor
    }
}

/// Who wears the sensors, as far as known: what zones and energy are computed from.
public struct WearerProfile: Sendable, Equatable {
    public var sex: Sex?
    public var ageInYears: Double?
    public var massInKilograms: Double?
    public var restingHeartRate: Double?
    public var maximumHeartRate: Double?
    /// In millilitres per kilogram and minute.
    public var vo2Max: Double?
    /// Where the wearer's own zones begin, in beats a minute; nil for the usual ones, and empty where the own ones cannot be
    /// computed.
    public var heartRateZoneLowerBounds: [Double]?

    public enum Sex: String, Sendable, Equatable, CaseIterable { case female, male, other }

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
