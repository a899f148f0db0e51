public import Foundation
public import SessionLog

/// One sample of an Apple Health export: a quantity, a category value, or a type that this package does not know.
public struct HealthRecord: Sendable, Equatable {
    /// What the record has in common with its neighbours. Records with equal kinds nearly always share one object. So
    /// `===` is a quick first test, and `ObjectIdentifier` a key for results that depend only on the kind.
    public var kind: HealthRecordKind
    /// The value in the unit of the kind.
    public var value: HealthRecordValue
    /// The start. The time zone in the file is not kept.
    public var startDate: Date
    /// The end. It equals the start for the value of an instant.
    public var endDate: Date
    /// When the phone stored the sample.
    public var creationDate: Date?
    /// The metadata, often an object shared with other records.
    public var metadata: HealthMetadata
    /// The beats of a heart-rate variability, oldest first.
    public var beats: [HealthBeat]
    /// The offset of the record in the XML, in bytes.
    public var byte: Int

    /// The type of the kind, such as `HKQuantityTypeIdentifierHeartRate`.
    public var type: String { kind.type }
    /// The unit of the kind. Nil for category types.
    public var unit: String? { kind.unit }
    /// The source of the kind.
    public var source: HealthSource { kind.source }

    /// - Parameter byte: The offset of the record in the XML.
    public init(
        kind: HealthRecordKind, value: HealthRecordValue, startDate: Date, endDate: Date, creationDate: Date? = nil,
        metadata: HealthMetadata = .none, beats: [HealthBeat] = [], byte: Int = 0
    ) {
        self.kind = kind
        self.value = value
        self.startDate = startDate
        self.endDate = endDate
        self.creationDate = creationDate
        self.metadata = metadata
        self.beats = beats
        self.byte = byte
    }

    /// Identifies the content: equal for the same sample in another export, for a repeated record, and for both copies
    /// of a record that belongs to a correlation.
    public var fingerprint: HealthFingerprint {
        var print = kind.fingerprint
        print.combine(startDate)
        print.combine(endDate)
        print.combine(creationDate)
        switch value {
        case .none:
            print.combine(0)
        case .number(let number):
            print.combine(1)
            print.combine(number.bitPattern)
        case .text(let text):
            print.combine(2)
            print.combine(text)
        }
        print.combine(metadata.fingerprint)
        return print
    }

    /// Compares everything except the offsets in the file.
    public static func == (a: HealthRecord, b: HealthRecord) -> Bool {
        a.kind == b.kind && a.value == b.value && a.startDate == b.startDate && a.endDate == b.endDate
            && a.creationDate == b.creationDate && a.metadata == b.metadata && a.beats == b.beats
    }
}

/// The value of a record.
public enum HealthRecordValue: Sendable, Equatable {
    /// No value, as in some category types.
    case none
    /// A number in the unit of the record's kind. Without a unit it is the number of a category value.
    case number(Double)
    /// The name of a category value, such as `HKCategoryValueSleepAnalysisInBed`.
    case text(String)
}

/// The type, unit and source of a record.
public final class HealthRecordKind: Sendable, Hashable {
    /// The type's identifier, such as `HKQuantityTypeIdentifierHeartRate`.
    public let type: String
    /// The unit as the export writes it, such as `count/min`, `Cal` or `mL/min·kg`.
    public let unit: String?
    /// The source of the measurement.
    public let source: HealthSource
    /// A fingerprint of the kind alone.
    public let fingerprint: HealthFingerprint

    /// Creates a kind. Make one for all records that share it.
    public init(type: String, unit: String?, source: HealthSource) {
        self.type = type
        self.unit = unit
        self.source = source
        var print = HealthFingerprint()
        print.combine(type)
        print.combine(unit)
        print.combine(source)
        fingerprint = print
    }

    /// Compares type, unit and source.
    public static func == (a: HealthRecordKind, b: HealthRecordKind) -> Bool {
        a === b || a.fingerprint == b.fingerprint && a.type == b.type && a.unit == b.unit && a.source == b.source
    }

    /// Hashes the fingerprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// The source of a sample: the app or device that saved it, and the device that measured it.
public struct HealthSource: Sendable, Hashable {
    /// The name of the app or device, as the person chose it.
    public var name: String
    /// The version of the app or system. Nil if the export does not state it.
    public var version: String?
    /// The device that measured. Nil if the export does not state it.
    public var device: DeviceDescription?

    /// - Parameter name: The name of the app or device.
    public init(name: String, version: String? = nil, device: DeviceDescription? = nil) {
        self.name = name
        self.version = version
        self.device = device
    }
}

/// One of the beats from which a heart-rate variability was computed.
public struct HealthBeat: Sendable, Equatable {
    /// The rate of the interval that ends with the beat.
    public var beatsPerMinute: Double
    /// The date of the beat to the hundredth of a second. Nil if the time of day in the export could not be read.
    public var date: Date?

    /// - Parameter date: Nil if the time of day could not be read.
    public init(beatsPerMinute: Double, date: Date?) {
        self.beatsPerMinute = beatsPerMinute
        self.date = date
    }
}

extension HealthFingerprint {
    mutating func combine(_ source: HealthSource) {
        combine(source.name)
        combine(source.version)
        let device = source.device
        combine(device == nil ? 0 : 1)
        guard let device else { return }
        for text in [
            device.name, device.manufacturer, device.model, device.hardwareVersion, device.firmwareVersion,
            device.softwareVersion, device.localIdentifier, device.udiDeviceIdentifier,
        ] { combine(text) }
    }
}
