public import Foundation

/// A category sample that an app added.
public struct CategoryReading: Sendable, Equatable {
    /// The Swift name of the category type, such as `mindfulSession`.
    public var type: String
    /// The raw value of the enumeration that goes with the type.
    public var value: Int
    /// On the session's time line.
    public var start: Date
    /// Equals the start for a value of an instant.
    public var end: Date
    /// The sample's identity, device and metadata.
    public var origin: SampleOrigin

    /// Nothing is checked: whether the type has the value is found out when a sample is made of it.
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
    /// The UUID of the sample in the store.
    public var id: UUID
    /// The identifier of its type.
    public var type: String

    /// Names the sample; nothing is looked up.
    public init(id: UUID, type: String) {
        self.id = id
        self.type = type
    }
}

/// What a sample that an app added carries beyond its value. A reference, so that the many readings without one stay
/// small.
public final class SampleOrigin: Sendable, Equatable {
    /// The UUID of the sample.
    public let id: UUID
    /// What measured it; nil when the app named nothing.
    public let device: DeviceDescription?
    /// What the app noted with it; empty when it noted nothing.
    public let metadata: [String: MetadataValue]

    /// Without a device and metadata: the identity alone.
    public init(id: UUID, device: DeviceDescription? = nil, metadata: [String: MetadataValue] = [:]) {
        self.id = id
        self.device = device
        self.metadata = metadata
    }

    /// Equal when identity, device and metadata are.
    public static func == (a: SampleOrigin, b: SampleOrigin) -> Bool {
        a === b || a.id == b.id && a.device == b.device && a.metadata == b.metadata
    }
}

/// RR intervals, oldest first, unfiltered.
public struct BeatReading: Sendable, Equatable {
    /// From one beat to the next, oldest first; what a strap sent, artefacts too.
    public var intervalsInMilliseconds: [Double]
    /// The sensor that measured them: `SensorStatus.id`. Nil when a file does not say.
    public var sensor: String?

    /// - Parameter intervalsInMilliseconds: Oldest first, unfiltered.
    public init(intervalsInMilliseconds: [Double], sensor: String? = nil) {
        self.intervalsInMilliseconds = intervalsInMilliseconds
        self.sensor = sensor
    }
}

/// A workout event with its interval; equal dates for an instant.
public struct EventRecord: Sendable, Equatable {
    /// What happened.
    public var kind: Kind
    /// On the session's time line.
    public var start: Date
    /// Equals the start for an instant; only laps and segments last.
    public var end: Date
    /// What the app or the sensor noted with it; empty when nothing is.
    public var metadata: [String: MetadataValue]
    /// An app added it; the others the session generated.
    public var isAdded: Bool

    /// The cases of `HKWorkoutEventType`.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// As `HKWorkoutEventType` has them, and as the log writes them.
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

/// A value of a metadata dictionary: what HealthKit allows there.
public enum MetadataValue: Sendable, Equatable {
    /// Text.
    case string(String)
    /// A number without a unit.
    case number(Double)
    /// True or false; not a number, although Foundation bridges one to the other.
    case bool(Bool)
    /// To the fraction of a second that a `Date` has.
    case date(Date)
    /// A number with a unit, as `HKUnit.unitString` spells it.
    case quantity(Double, unit: String)
}

/// The properties of a device, as `HKDevice` has them.
public struct DeviceDescription: Sendable, Equatable, Hashable {
    /// What its user or maker calls it; nil when not known, as every property.
    public var name: String?
    /// Who made it.
    public var manufacturer: String?
    /// What its maker sells it as.
    public var model: String?
    /// The version of the device itself.
    public var hardwareVersion: String?
    /// The version of what runs in it.
    public var firmwareVersion: String?
    /// The version of the software that speaks for it.
    public var softwareVersion: String?
    /// Names the device on one machine only, such as its Bluetooth address.
    public var localIdentifier: String?
    /// The device identifier of the FDA's unique device identification.
    public var udiDeviceIdentifier: String?

    /// A device of which nothing need be known.
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
    /// By which way its readings come.
    public var kind: Kind
    /// Whether readings are to be expected.
    public var presence: Presence
    /// The properties of the device, as far as known by now.
    public var device: DeviceDescription
    /// 0 … 100.
    public var batteryPercent: Int?

    /// By which way readings come: over Bluetooth, from a recording, from the simulator, or added by the app.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// A sensor of Bluetooth Low Energy.
        case bluetooth
        /// A recording that is played again.
        case replay
        /// The physiological simulator.
        case simulated
        /// The app added them itself.
        case app
    }

    /// Whether readings are to be expected, as the log writes it.
    public enum Presence: String, Sendable, Equatable, CaseIterable {
        /// Readings are to be expected.
        case present
        /// Out of reach, or without skin contact, or silent for too long: what follows is a gap, not a zero.
        case away
        /// Will not come back in this session.
        case gone
    }

    /// The ``id`` of the machine that the session runs on, which measures and estimates by itself. It needs no status.
    package static let thisMachine = "this machine"

    /// - Parameter batteryPercent: 0 … 100; nil when the sensor did not say.
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
    /// As sent, least significant byte first where the characteristic has numbers.
    public var bytes: [UInt8]
    /// The sensor that sent them: `SensorStatus.id`.
    public var sensor: String?

    /// - Parameter characteristic: The 16-bit number that the SIG assigned.
    public init(characteristic: UInt16, bytes: [UInt8], sensor: String? = nil) {
        self.characteristic = characteristic
        self.bytes = bytes
        self.sensor = sensor
    }
}

/// Who wears the sensors, as far as known: what zones and energy are computed from.
public struct WearerProfile: Sendable, Equatable {
    /// For formulas of energy; nil when not known, as every property.
    public var sex: Sex?
    /// In years, with fractions.
    public var ageInYears: Double?
    /// What energy is estimated from, among others.
    public var massInKilograms: Double?
    /// In beats a minute.
    public var restingHeartRate: Double?
    /// In beats a minute.
    public var maximumHeartRate: Double?
    /// In millilitres per kilogram and minute.
    public var vo2Max: Double?
    /// Where the wearer's own zones begin, in beats a minute; nil for the usual ones, and empty where the own ones cannot be
    /// computed.
    public var heartRateZoneLowerBounds: [Double]?

    /// As the log writes it. Of `other` no energy is estimated: the studies behind the formulas knew no third sex.
    public enum Sex: String, Sendable, Equatable, CaseIterable {
        /// The formulas for women are used.
        case female
        /// The formulas for men are used.
        case male
        /// What depends on sex is left out.
        case other
    }

    /// Without arguments: nothing is known.
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
