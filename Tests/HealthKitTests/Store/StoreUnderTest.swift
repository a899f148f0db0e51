import Foundation
import HealthKit
import Testing

/// The kinds of store that have to keep the same contract.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case memory, file

    var testDescription: String { rawValue }

    /// Gives `body` an empty store, whose file is gone afterwards.
    func with<Result>(_ body: (SQLiteHealthDatabase) throws -> Result) throws -> Result {
        switch self {
        case .memory: return try body(SQLiteHealthDatabase(.memory))
        case .file: return try TemporaryFolder.with { try body(SQLiteHealthDatabase(.file($0 + "/health.sqlite"))) }
        }
    }
}

enum TemporaryFolder {
    static func with<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }
}

/// Samples of many kinds, on a time line that begins at ``start``.
enum Made {
    static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    static let perMinute = HKUnit.count().unitDivided(by: .minute())
    static let heartRate = HKQuantityType(.heartRate)
    static let steps = HKQuantityType(.stepCount)
    static let sleep = HKCategoryType(.sleepAnalysis)

    static func heartRate(
        _ value: Double, at seconds: Double, device: HKDevice? = nil, metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: heartRate, quantity: HKQuantity(unit: perMinute, doubleValue: value), start: start + seconds,
            end: start + seconds, device: device, metadata: metadata)
    }

    static func steps(_ value: Double, from: Double, to: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: value), start: start + from, end: start + to)
    }

    static func source(_ name: String, version: String? = "1") -> HKSourceRevision {
        HKSourceRevision(
            source: HKSource(name: name, bundleIdentifier: "test.\(name)"), version: version, productType: "Linux,test",
            operatingSystemVersion: OperatingSystemVersion(majorVersion: 6, minorVersion: 1, patchVersion: 2))
    }
}

extension SQLiteHealthDatabase {
    func all(_ type: HKSampleType, _ filter: SampleFilter = .all) throws -> [HKSample] {
        try samples([SampleSelection(type, filter)], sortedBy: [SampleSort(.startDate)], limit: nil)
    }
}
