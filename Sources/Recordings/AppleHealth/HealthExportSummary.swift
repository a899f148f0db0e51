public import Foundation
public import SessionLog

/// What was in an export: all of it, read or not.
public struct HealthExportSummary: Sendable, Equatable {
    /// Such as `de_DE`.
    public var locale: String?
    /// The version of the export's format: 3 for iOS 9, 14 for iOS 17 and later; nil where the document type is missing.
    public var version: Int?
    /// When the phone wrote the export; nil when it does not say.
    public var exportDate: Date?
    /// How often each element is there, at all levels.
    public var elements: [String: Int] = [:]
    /// Records at the top level that were delivered, by type.
    public var recordsByType: [String: Int] = [:]
    /// Records that were delivered as parts of correlations; nearly all are at the top level too.
    public var recordsInCorrelations = 0
    /// What was there and not delivered, by element and reason.
    public var skipped: [HealthExportSkip] = []
    /// What could not be taken as it stood.
    public var warnings: [RecordingWarning] = []
    /// Whether the end of the document was reached.
    public var isComplete = false

    /// Of an export of which nothing was read yet.
    public init() {}

    /// How many records at the top level were delivered.
    public var records: Int { recordsByType.values.reduce(0, +) }
}

/// Elements that were not delivered.
public struct HealthExportSkip: Sendable, Equatable {
    /// The element's name.
    public var element: String
    /// Why, as a sentence for people.
    public var reason: String
    /// How many of them.
    public var count: Int
    /// Where the first of them begins.
    public var firstByte: Int
}

/// What an export holds, one after the other as the file has it.
public enum HealthExportElement: Sendable, Equatable {
    /// A quantity or category sample at the top level, not those inside correlations.
    case record(HealthRecord)
    /// With its events, activities and routes.
    indirect case workout(HealthWorkout)
    /// With its records, which an export has a second time at the top level.
    indirect case correlation(HealthCorrelation)
    /// The rings of one day.
    indirect case activitySummary(HealthActivitySummary)
    /// What does not change about the person: one in an export.
    indirect case characteristics(HealthCharacteristics)
    /// What it is about is in a file of its own.
    indirect case clinicalRecord(HealthClinicalRecord)
}

/// How far the reading of an export is.
public struct HealthExportProgress: Sendable, Equatable {
    /// Bytes of XML that were read, unpacked.
    public var bytesRead: Int
    /// Bytes of XML in all.
    public var bytesTotal: Int

    /// - Parameter bytesTotal: Bytes of XML in all.
    public init(bytesRead: Int, bytesTotal: Int) {
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
    }

    /// 0 … 1.
    public var fraction: Double { bytesTotal <= 0 ? 1 : min(1, Double(bytesRead) / Double(bytesTotal)) }
}
