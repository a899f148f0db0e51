import Foundation
package import HealthStore

/// The implementations of ``HealthDatabase``. Each test with one as its argument is part of their contract; another
/// implementation joins by a case here.
///
/// Includes PostgreSQL with the trait `PostgreSQL` and a server (`make test-postgres`).
package enum StoreUnderTest: String, CaseIterable, CustomStringConvertible {
    case memory, file
    #if PostgreSQL
    case postgreSQL

    package static var allCases: [StoreUnderTest] {
        [.memory, .file] + (PostgreSQLUnderTest.address == nil ? [] : [.postgreSQL])
    }
    #endif

    package var description: String { rawValue }

    /// Calls `body` with an empty store, whose file is deleted afterwards.
    package func with<Result>(_ body: (any HealthDatabase) throws -> Result) throws -> Result {
        switch self {
        case .memory: return try body(SQLiteHealthDatabase(.memory))
        #if PostgreSQL
        case .postgreSQL: return try body(PostgreSQLUnderTest.database())
        #endif
        case .file: return try TemporaryFolder.with { try body(SQLiteHealthDatabase(.file($0 + "/health.sqlite"))) }
        }
    }
}

extension HealthDatabase {
    package func all(_ type: HKSampleType, _ filter: SampleFilter = .all) throws -> [HKSample] {
        try samples([SampleSelection(type, filter)], sortedBy: [SampleSort(.startDate)], limit: nil)
    }
}
