import Foundation
import GRDB
import HealthData
import Testing

@testable import HealthStore

/// Stores with the schema of each earlier version.
@Suite struct EarlierSchemaTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let stores = root.appendingPathComponent("Tests/Stores")

    /// The versions of the schema since the oldest store of `Tests/Stores`.
    private static let versions = Schema.migrator.migrations.drop { $0 != "objects as columns" }.map { $0 }

    @Test(arguments: versions) func `a store of each schema version opens with all its data`(version: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(at: Self.stores.appendingPathComponent("2026-11"), to: folder)
        let path = folder.appendingPathComponent("health.sqlite").path
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: version)
        let applied = try queue.read(Schema.migrator.appliedIdentifiers)
        #expect(applied.contains(version))
        try queue.close()
        let database = SQLiteHealthDatabase(.file(path))
        #expect(try database.checkIntegrity() == [])
        #expect(
            try !database.samples([SampleSelection(HKObjectType.workoutType(), .all)], sortedBy: [], limit: nil).isEmpty
        )
        #expect(try DatabaseQueue(path: path).read(Schema.migrator.hasCompletedMigrations))
    }

    /// A release is a heading with a number and a date. Unreleased versions have no store to open.
    @Test func `each released version left a store`() throws {
        let changes = try String(contentsOf: Self.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        for release in changes.matches(of: #/(?m)^## (\d+\.\d+\.\d+)(?!.*not released).*$/#) {
            #expect(
                FileManager.default.fileExists(atPath: Self.stores.path + "/\(release.1)/health.sqlite"),
                "make one: HEALTHKIT_MAKE_EARLIER_STORE=$PWD/Tests/Stores/\(release.1) swift test --filter EarlierStoreTests"
            )
        }
    }
}
