public import Foundation

/// One measured quantity: a heart rate, metres covered, watts.
///
/// A value of a cumulative type (distance, energy, steps) is what was added between `start` and `end`, never a running
/// total. A value of a discrete type holds at `start`, or between `start` and `end`.
public struct QuantityReading: Sendable, Equatable {
    /// Type, unit and sensor.
    public var kind: ReadingKind
    /// In ``unit``.
    public var value: Double
    /// On the session's time line.
    public var start: Date
    /// Equals the start for a value of an instant.
    public var end: Date
    /// Identity and details of a sample that an app added. Nil for what sensors measured.
    public var origin: SampleOrigin?

    /// Nothing is checked here: whether type, unit and times go together is found out when a sample is made of it.
    @inline(__always)
    public init(_ kind: ReadingKind, _ value: Double, start: Date, end: Date, origin: SampleOrigin? = nil) {
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.origin = origin
    }

    /// One of a kind that only this reading has. Whoever makes many readings makes a ``ReadingKind`` for all of them.
    public init(
        _ type: String, _ value: Double, unit: String, start: Date, end: Date, sensor: String? = nil,
        origin: SampleOrigin? = nil
    ) {
        self.init(
            ReadingKind(type, unit: unit, sensor: sensor), value, start: start, end: end, origin: origin)
    }
}

extension QuantityReading {
    /// The Swift name of the quantity type, such as `heartRate` or `distanceCycling`.
    public var type: String {
        get { kind.type }
        set { kind = ReadingKind(newValue, unit: unit, sensor: sensor) }
    }

    /// The unit of `value`, as `HKUnit.unitString` spells it.
    public var unit: String {
        get { kind.unit }
        set { kind = ReadingKind(type, unit: newValue, sensor: sensor) }
    }

    /// The sensor that measured it: `SensorStatus.id`. Nil when an app added it.
    public var sensor: String? {
        get { kind.sensor }
        set { kind = ReadingKind(type, unit: unit, sensor: newValue) }
    }
}

extension QuantityReading {
    /// See ``ReadingKind/heartRateType``.
    package static let heartRateType = ReadingKind.heartRateType

    /// A heart rate, which holds at the moment of its measurement.
    package static func heartRate(_ beatsPerMinute: Double, at date: Date, sensor: String?) -> QuantityReading {
        QuantityReading(.heartRate(sensor: sensor), beatsPerMinute, start: date, end: date)
    }

    package var isHeartRate: Bool { kind.isHeartRate }
}

/// The numbers of a reading, without references. Folds over millions of readings ask for these first: to take the reading itself out
/// of its entry counts its references up and down, which costs more than the sums.
@usableFromInline
package struct ReadingNumbers: Sendable {
    /// Which object ``QuantityReading/kind`` is: what a ``KindCache`` finds it by.
    @usableFromInline package let kind: ObjectIdentifier
    @usableFromInline package let value: Double
    @usableFromInline package let start: Date
    @usableFromInline package let end: Date
    @usableFromInline package let isHeartRate: Bool
    /// Whether an app added it.
    @usableFromInline package let isAdded: Bool

    @inlinable
    @inline(__always)
    package init(_ reading: QuantityReading) {
        kind = ObjectIdentifier(reading.kind)
        value = reading.value
        start = reading.start
        end = reading.end
        isHeartRate = reading.kind.isHeartRate
        isAdded = reading.origin != nil
    }
}

extension SessionEntry {
    /// Nil for what is no reading.
    @inlinable
    package var numbers: ReadingNumbers? {
        guard case .quantity(let reading) = content else { return nil }
        return ReadingNumbers(reading)
    }
}
