public import Foundation
public import SessionLog

/// Records that belong together, such as the two pressures of one blood pressure.
///
/// An export has these records a second time outside the correlation, before or after it. Both have the same
/// `fingerprint`, and only those at the top level are delivered as records of their own.
public struct HealthCorrelation: Sendable, Equatable {
    /// Such as `HKCorrelationTypeIdentifierBloodPressure`.
    public var type: String
    /// Who saved the correlation.
    public var source: HealthSource
    /// An instant.
    public var startDate: Date
    /// Equals the start for an instant.
    public var endDate: Date
    /// When it came into the store of the phone; nil where the export does not say.
    public var creationDate: Date?
    /// ``HealthMetadata/none`` where there is none.
    public var metadata = HealthMetadata.none
    /// Those inside, in the order of the file.
    public var records: [HealthRecord] = []
    /// Where the correlation begins in the XML, in bytes.
    public var byte = 0

    /// Names the content, the records included in any order.
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
