public import Foundation
public import SessionLog

/// Records that belong together, such as the two pressures of one blood pressure.
///
/// An export repeats these records outside the correlation, before or after it. Both copies have the same
/// `fingerprint`, and only those at the top level are returned as records of their own.
public struct HealthCorrelation: Sendable, Equatable {
    /// The type, such as `HKCorrelationTypeIdentifierBloodPressure`.
    public var type: String
    /// The app or device that saved the correlation.
    public var source: HealthSource
    /// The start of the correlation.
    public var startDate: Date
    /// The end. It equals the start for an instant.
    public var endDate: Date
    /// When the phone stored it. Nil if the export does not state it.
    public var creationDate: Date?
    /// The metadata, ``HealthMetadata/none`` if there are none.
    public var metadata = HealthMetadata.none
    /// The records inside, in the order of the file.
    public var records: [HealthRecord] = []
    /// The offset of the correlation in the XML, in bytes.
    public var byte = 0

    /// Identifies the content, with the records in any order.
    public var fingerprint: HealthFingerprint {
        var print = HealthFingerprint()
        print.combine(type)
        print.combine(source)
        print.combine(startDate)
        print.combine(endDate)
        print.combine(creationDate)
        print.combine(metadata.fingerprint)
        var sum = HealthFingerprint()
        for record in records { sum.add(record.fingerprint) }
        print.combine(sum)
        return print
    }
}
