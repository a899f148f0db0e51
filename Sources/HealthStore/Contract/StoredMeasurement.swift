package import SessionLog

/// A quantity that was measured, as numbers: what reading thousands of them needs instead of a sample object each.
package struct StoredMeasurement: Sendable {
    /// What measurements that were stored together share.
    package final class Shared: Sendable {
        package let type: HKQuantityType
        package let device: HKDevice?
        /// As a reading of a sensor that nobody named.
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
    /// Of the sample that it is, or that it is in.
    package var sample: UUID
    /// Which number that sample has in the order of insertion.
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
    var count: Int
    /// In seconds since the reference date: of the earliest start and of the latest end.
    package var start: Double
    package var end: Double
}
