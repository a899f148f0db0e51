public import Foundation
public import SessionLog

/// One sample of an Apple Health export: a quantity, a category value, or a type that this package does not know.
public struct HealthRecord: Sendable, Equatable {
    /// What the record has in common with its neighbours. Records with equal kinds nearly always share one object, so
    /// `===` is a quick first test and `ObjectIdentifier` a key for what was worked out for a kind.
    public var kind: HealthRecordKind
    /// In the unit of the kind.
    public var value: HealthRecordValue
    /// An instant; of the offset in the file nothing is kept.
    public var startDate: Date
    /// Equals the start for a value of an instant.
    public var endDate: Date
    /// When the sample came into the store of the phone.
    public var creationDate: Date?
    /// Often the same object as that of other records.
    public var metadata: HealthMetadata
    /// The beats behind a heart rate variability, oldest first.
    public var beats: [HealthBeat]
    /// Where the record begins in the XML, in bytes.
    public var byte: Int

    /// That of the kind, such as `HKQuantityTypeIdentifierHeartRate`.
    public var type: String { kind.type }
    /// That of the kind; nil for category types.
    public var unit: String? { kind.unit }
    /// That of the kind: who measured.
    public var source: HealthSource { kind.source }

    /// - Parameter byte: Where the record begins in the XML.
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

    /// Names the content: equal for the same sample in another export, for a repeated record, and for the two places
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

    /// Equal when all but the places in the file are.
    public static func == (a: HealthRecord, b: HealthRecord) -> Bool {
        a.kind == b.kind && a.value == b.value && a.startDate == b.startDate && a.endDate == b.endDate
            && a.creationDate == b.creationDate && a.metadata == b.metadata && a.beats == b.beats
    }
}

/// What a record says.
public enum HealthRecordValue: Sendable, Equatable {
    /// The record has none, as some category types do.
    case none
    /// In the unit of the record's kind; without a unit, the number of a category value.
    case number(Double)
    /// The name of a category value, such as `HKCategoryValueSleepAnalysisInBed`.
    case text(String)
}

/// The type, unit and source of a record.
public final class HealthRecordKind: Sendable, Hashable {
    /// The type's identifier, such as `HKQuantityTypeIdentifierHeartRate`.
    public let type: String
    /// As the export writes it, such as `count/min`, `Cal` or `mL/min·kg`.
    public let unit: String?
    /// Who measured.
    public let source: HealthSource
    /// Of the kind alone.
    public let fingerprint: HealthFingerprint

    /// Names the kind; make one for all records that have it.
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

    /// Equal when type, unit and source are.
    public static func == (a: HealthRecordKind, b: HealthRecordKind) -> Bool {
        a === b || a.fingerprint == b.fingerprint && a.type == b.type && a.unit == b.unit && a.source == b.source
    }

    /// That of the fingerprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// Who measured: the app or device that saved a sample, and the device that it came from.
public struct HealthSource: Sendable, Hashable {
    /// Of the app or device, as the person named it.
    public var name: String
    /// Of the app or the system; nil when the export does not say.
    public var version: String?
    /// What measured; nil when the export does not say.
    public var device: DeviceDescription?

    /// - Parameter name: Of the app or device.
    public init(name: String, version: String? = nil, device: DeviceDescription? = nil) {
        self.name = name
        self.version = version
        self.device = device
    }
}

/// One of the beats that a heart rate variability was computed from.
public struct HealthBeat: Sendable, Equatable {
    /// Of the interval that ends with the beat.
    public var beatsPerMinute: Double
    /// To the hundredth of a second; nil where the export's time of day could not be read.
    public var date: Date?

    /// - Parameter date: Nil where the time of day could not be read.
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
