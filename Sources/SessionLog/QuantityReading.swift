public import Foundation

/// One measured quantity: a heart rate, a distance in metres, a power in watts.
///
/// A value of a cumulative type (distance, energy, steps) is the amount added between `start` and `end`, never a
/// running total. A value of a discrete type holds at `start`, or between `start` and `end`.
public struct QuantityReading: Sendable, Equatable {
    /// The type, unit and sensor.
    public var kind: ReadingKind
    /// The value in ``unit``.
    public var value: Double
    /// The start on the session's timeline.
    public var start: Date
    /// The end. It equals the start for the value of an instant.
    public var end: Date
    /// The identity and details of a sample that an app added. Nil for measurements of sensors.
    public var origin: SampleOrigin?

    /// Creates a reading without checks. Whether type, unit and times fit together is checked when a sample is made
    /// from it.
    @inline(__always)
    public init(_ kind: ReadingKind, _ value: Double, start: Date, end: Date, origin: SampleOrigin? = nil) {
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.origin = origin
    }

    /// Creates a reading with a kind of its own. To make many readings, share a ``ReadingKind`` among them.
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

    /// The ID of the sensor that measured it: `SensorStatus.id`. Nil if an app added it.
    public var sensor: String? {
        get { kind.sensor }
        set { kind = ReadingKind(type, unit: unit, sensor: newValue) }
    }
}

extension QuantityReading {
    /// See ``ReadingKind/heartRateType``.
    package static let heartRateType = ReadingKind.heartRateType

    /// Returns a heart rate, which holds at the moment of its measurement.
    package static func heartRate(_ beatsPerMinute: Double, at date: Date, sensor: String?) -> QuantityReading {
        QuantityReading(.heartRate(sensor: sensor), beatsPerMinute, start: date, end: date)
    }

    package var isHeartRate: Bool { kind.isHeartRate }
}

/// The numbers of a reading, without references. Analyses of millions of readings use these first, because taking the
/// reading itself out of its entry updates its reference counts, which costs more than the sums.
@usableFromInline
package struct ReadingNumbers: Sendable {
    /// The identity of the object ``QuantityReading/kind``, by which a ``KindCache`` finds it.
    @usableFromInline package let kind: ObjectIdentifier
    @usableFromInline package let value: Double
    @usableFromInline package let start: Date
    @usableFromInline package let end: Date
    @usableFromInline package let isHeartRate: Bool
    /// Whether an app added the reading.
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
    /// The numbers of a reading. Nil for other entries.
    @inlinable
    @inline(__always)
    package var numbers: ReadingNumbers? { content.numbers() }
}

extension SessionEntry.Content {
    /// The numbers of a reading. Nil for other entries.
    ///
    /// It borrows the content and is never inlined: otherwise the compiler copies the whole entry to read five numbers, which doubles the time
    /// of an analysis.
    @inline(never)
    @usableFromInline
    package borrowing func numbers() -> ReadingNumbers? {
        switch self {
        case .quantity(let reading): ReadingNumbers(reading)
        default: nil
        }
    }
}
