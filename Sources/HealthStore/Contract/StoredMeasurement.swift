package import SessionLog

/// A measured quantity as numbers, so that reading thousands of them creates no sample objects.
package struct StoredMeasurement: Sendable {
    /// The common values of measurements that were stored together.
    package final class Shared: Sendable {
        package let type: HKQuantityType
        package let device: HKDevice?
        /// As a reading of an unnamed sensor.
        package let kind: ReadingKind
        package let source: HKSource
        package let hasMetadata: Bool

        init(type: HKQuantityType, device: HKDevice?, source: HKSource, hasMetadata: Bool) {
            self.type = type
            self.device = device
            kind = ReadingKind(type.swiftName, unit: type.recordingUnit.unitString)
            self.source = source
            self.hasMetadata = hasMetadata
        }
    }

    package var shared: Shared
    /// The UUID of its sample, or of the series that contains it.
    package var sample: UUID
    /// The number of that sample in the order of insertion.
    package var sequence: Int64
    /// In seconds since the reference date.
    package var start: Double
    package var end: Double
    /// In the type's recording unit.
    package var value: Double
}

/// A row of the store that holds measurements of one type and device.
package struct MeasurementRow: Sendable, Equatable {
    var id: Int64
    var type: Int64
    var firstSequence: Int64
    /// The number of samples.
    package var count: Int
    /// The earliest start and the latest end, in seconds since the reference date.
    package var start: Double
    package var end: Double
}
