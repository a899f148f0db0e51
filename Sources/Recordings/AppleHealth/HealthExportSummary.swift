public import Foundation
public import SessionLog

/// The contents of an export, with the parts that were not read.
public struct HealthExportSummary: Sendable, Equatable {
    /// The locale, such as `de_DE`.
    public var locale: String?
    /// The version of the export's format: 3 for iOS 9, 14 for iOS 17 and later. Nil if there is no document type.
    public var version: Int?
    /// When the phone wrote the export. Nil if the export does not state it.
    public var exportDate: Date?
    /// The number of elements of each name, at all levels.
    public var elements: [String: Int] = [:]
    /// The number of records returned at the top level, by type.
    public var recordsByType: [String: Int] = [:]
    /// The number of records returned inside correlations. Nearly all are at the top level as well.
    public var recordsInCorrelations = 0
    /// The elements that were not returned, by name and reason.
    public var skipped: [HealthExportSkip] = []
    /// Damage that was found.
    public var warnings: [RecordingWarning] = []
    /// Whether the end of the document was reached.
    public var isComplete = false

    /// Creates the summary of an export before anything is read.
    public init() {}

    /// The number of records returned at the top level.
    public var records: Int { recordsByType.values.reduce(0, +) }
}

/// Elements that were not returned.
public struct HealthExportSkip: Sendable, Equatable {
    /// The element's name.
    public var element: String
    /// The reason, as a sentence for the user.
    public var reason: String
    /// The number of these elements.
    public var count: Int
    /// The offset of the first one.
    public var firstByte: Int
}

/// An element of an export, in the order of the file.
public enum HealthExportElement: Sendable, Equatable {
    /// A quantity or category sample at the top level, not those inside correlations.
    case record(HealthRecord)
    /// A workout with its events, activities and routes.
    indirect case workout(HealthWorkout)
    /// A correlation with its records, which an export repeats at the top level.
    indirect case correlation(HealthCorrelation)
    /// The rings of one day.
    indirect case activitySummary(HealthActivitySummary)
    /// What does not change about the person; an export has one such element.
    indirect case characteristics(HealthCharacteristics)
    /// A record from a clinic. Its content is in a file of its own.
    indirect case clinicalRecord(HealthClinicalRecord)
}

/// The progress of reading an export.
public struct HealthExportProgress: Sendable, Equatable {
    /// The bytes of XML read so far, unpacked.
    public var bytesRead: Int
    /// The total bytes of XML.
    public var bytesTotal: Int

    /// - Parameter bytesTotal: The total bytes of XML.
    public init(bytesRead: Int, bytesTotal: Int) {
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
    }

    /// The fraction read, 0 … 1.
    public var fraction: Double { bytesTotal <= 0 ? 1 : min(1, Double(bytesRead) / Double(bytesTotal)) }
}
