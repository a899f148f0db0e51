public import Foundation
import Units

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
    /// Returns the value in another unit, or nil if that unit is incompatible or the value is not finite.
    package func value(in other: String) -> Double? {
        guard value.isFinite else { return nil }
        guard unit != other else { return value }
        return UnitConversion(from: unit, to: other).map { $0(value) }
    }

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
///
/// Four words are returned in registers. A fifth would go through memory, which takes longer than reading them.
@usableFromInline
package struct ReadingNumbers {
    // Unmanaged, because the entry keeps the kind alive for as long as its numbers are used.
    @usableFromInline let sharedKind: Unmanaged<ReadingKind>
    @usableFromInline package let value: Double
    @usableFromInline package let start: Date
    @usableFromInline package let end: Date

    @inlinable
    @inline(__always)
    package init(_ reading: QuantityReading) {
        sharedKind = .passUnretained(reading.kind)
        value = reading.value
        start = reading.start
        end = reading.end
    }

    /// The identity of the object ``QuantityReading/kind``, by which a ``KindCache`` finds it.
    @inlinable
    @inline(__always)
    package var kind: ObjectIdentifier { sharedKind._withUnsafeGuaranteedRef { ObjectIdentifier($0) } }

    @inlinable
    @inline(__always)
    package var isHeartRate: Bool { sharedKind._withUnsafeGuaranteedRef { $0.isHeartRate } }
}

extension SessionEntry {
    /// Returns the entry of a measurement, at `place` in the log.
    ///
    /// It is never inlined: otherwise the compiler builds the entry in several places one after the other before it
    /// reaches the caller's memory.
    @inline(never)
    package static func reading(
        _ kind: consuming ReadingKind, _ value: Double, start: Date, end: Date, place: Date
    ) -> SessionEntry {
        SessionEntry(place, .quantity(QuantityReading(kind, value, start: start, end: end)))
    }

    /// The numbers of a measurement. Nil for a value that an app added, and for other entries. Use them only while the
    /// entry exists.
    @inlinable
    @inline(__always)
    package var numbers: ReadingNumbers? { content.numbers() }

    /// Whether it is a measurement, or a value that an app added.
    package var isReading: Bool { content.isReading() }
}

extension SessionEntry.Content {
    /// See ``SessionEntry/numbers``.
    ///
    /// It borrows the content and is never inlined: otherwise the compiler copies the whole entry to read four numbers,
    /// which doubles the time of an analysis.
    @inline(never)
    @usableFromInline
    package borrowing func numbers() -> ReadingNumbers? {
        switch self {
        case .quantity(let reading): reading.origin == nil ? ReadingNumbers(reading) : nil
        default: nil
        }
    }

    fileprivate borrowing func isReading() -> Bool {
        switch self {
        case .quantity: true
        default: false
        }
    }
}
