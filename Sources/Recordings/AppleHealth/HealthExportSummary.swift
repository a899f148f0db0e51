public import Foundation

/// What was in an export: all of it, read or not.
public struct HealthExportSummary: Sendable, Equatable {
    /// Such as `de_DE`.
    public var locale: String?
    /// The version of the export's format: 3 for iOS 9, 14 for iOS 17 and later; nil where the document type is missing.
    public var version: Int?
    public var exportDate: Date?
    /// How often each element is there, at all levels.
    public var elements: [String: Int] = [:]
    /// Records at the top level that were delivered, by type.
    public var recordsByType: [String: Int] = [:]
    /// Records that were delivered as parts of correlations; nearly all are at the top level too.
    public var recordsInCorrelations = 0
    public var skipped: [HealthExportSkip] = []
    public var warnings: [RecordingWarning] = []
    /// Whether the end of the document was reached.
    public var isComplete = false

    public init() {}

    public var records: Int { recordsByType.values.reduce(0, +) }
}

/// Elements that were not delivered.
public struct HealthExportSkip: Sendable, Equatable {
    /// The element's name.
    public var element: String
    public var reason: String
    public var count: Int
    /// Where the first of them begins.
    public var firstByte: Int
}

/// What an export holds, one after the other as the file has it.
public enum HealthExportElement: Sendable, Equatable {
    case record(HealthRecord)
    indirect case workout(HealthWorkout)
    indirect case correlation(HealthCorrelation)
    indirect case activitySummary(HealthActivitySummary)
    indirect case characteristics(HealthCharacteristics)
    indirect case clinicalRecord(HealthClinicalRecord)
}

/// How far the reading of an export is.
public struct HealthExportProgress: Sendable, Equatable {
    public var bytesRead: Int
    /// Bytes of XML in all.
    public var bytesTotal: Int

    public init(bytesRead: Int, bytesTotal: Int) {
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
    }

    /// 0 … 1.
    public var fraction: Double { bytesTotal <= 0 ? 1 : min(1, Double(bytesRead) / Double(bytesTotal)) }
}
