import Foundation
import GRDB
import MadeSamples
import SessionLog
import Testing

@testable import HealthStore

@Suite struct StoreBackupTests {
    /// A store with this many heart rates, the first at `start` seconds.
    private func store(_ folder: String, _ count: Int, from start: Double = 0) throws -> SQLiteHealthDatabase {
        let database = SQLiteHealthDatabase(.file(folder + "/store-\(UUID()).sqlite"))
        try database.save(
            (0..<count).map { Made.heartRate(60, at: start + Double($0)) }, from: Made.source("App"))
        return database
    }

    private func backUp(
        _ database: SQLiteHealthDatabase, enclosing enclosures: [StoreBackup.Enclosure] = [], in folder: String
    ) throws -> StoreBackup {
        let url = URL(fileURLWithPath: folder + "/backup-\(UUID()).sqlite")
        var file = try UnfinishedFile(url)
        try StoreBackup.write(database, enclosing: enclosures, made: Made.start, to: file)
        try file.finish()
        return try StoreBackup(url)
    }

    private func failure(_ url: URL) throws -> String {
        let error = #expect(throws: HKError.self) { try StoreBackup(url) }
        return try #require(error).localizedDescription
    }

    @Test func `a backup of a store in use is one valid store file`() throws {
        try TemporaryFolder.with { folder in
            let database = try store(folder, 500)
            try database.updateSetting("a") { _ in Data("b".utf8) }
            let enclosure = StoreBackup.Enclosure(name: "config.json", content: Data("{}".utf8))
            let backup = try backUp(database, enclosing: [enclosure], in: folder)
            try database.save([Made.heartRate(70, at: 1000)], from: Made.source("App"))
            #expect(backup.made == Made.start)
            #expect(backup.enclosures == [enclosure])
            #expect(!FileManager.default.fileExists(atPath: backup.url.path + "-wal"))
            let mode = try FileManager.default.attributesOfItem(atPath: backup.url.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let opened = SQLiteHealthDatabase(.file(backup.url.path))
            #expect(try opened.all(Made.heartRate).count == 500)
            #expect(try opened.setting("a") == Data("b".utf8))
        }
    }

    @Test func `restoring replaces the stored data, also for those who have the store open`() throws {
        try TemporaryFolder.with { folder in
            let old = try store(folder, 3, from: 10_000)
            let kept = try store(folder, 20)
            let backup = try backUp(kept, in: folder)
            // Opened like this by another process.
            let reader = SQLiteHealthDatabase(old.location)
            #expect(try reader.all(Made.heartRate).count == 3)
            let before = try #require(try old.read { try Int.fetchOne($0, sql: "SELECT last FROM sequence") })
            try backup.restore(to: old)
            #expect(try reader.all(Made.heartRate).count == 20)
            #expect(try old.checkIntegrity() == [])
            let after = try #require(try reader.read { try Int.fetchOne($0, sql: "SELECT last FROM sequence") })
            #expect(after > before)
            #expect(try reader.read { try $0.tableExists("backup") } == false)
            try reader.save([Made.heartRate(80, at: 20_000)], from: Made.source("App"))
            #expect(try old.all(Made.heartRate).count == 21)
            // No partial file is left beside it.
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains { $0.contains("restored") || $0.contains(".part") })
        }
    }

    @Test func `a backup can be restored where no store exists`() throws {
        try TemporaryFolder.with { folder in
            let backup = try backUp(try store(folder, 20), in: folder)
            let new = SQLiteHealthDatabase(.file(folder + "/new/health.sqlite"))
            try backup.restore(to: new)
            #expect(try new.all(Made.heartRate).count == 20)
        }
    }

    @Test func `a backup of a backup contains only its own attached files`() throws {
        try TemporaryFolder.with { folder in
            let enclosure = StoreBackup.Enclosure(name: "sessions/x.jsonl", content: Data([1]))
            let first = try backUp(try store(folder, 2), enclosing: [enclosure], in: folder)
            let second = try backUp(SQLiteHealthDatabase(.file(first.url.path)), in: folder)
            #expect(second.enclosures.isEmpty)
        }
    }

    @Test func `an incomplete backup is rejected with the reason`() throws {
        try TemporaryFolder.with { folder in
            let backup = try backUp(try store(folder, 20_000), in: folder)
            let text = URL(fileURLWithPath: folder + "/text")
            try Data("Dear diary, today I ran.".utf8).write(to: text)
            #expect(try failure(text).contains("is not a backup"))
            #expect(try failure(URL(fileURLWithPath: folder + "/none")).contains("does not exist"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/none"))
            // A store is no backup: the files beside it would be missing.
            let plain = try store(folder, 1)
            guard case .file(let path) = plain.location else { return }
            #expect(try failure(URL(fileURLWithPath: path)).contains("is not a backup"))
            let whole = try Data(contentsOf: backup.url)
            let half = URL(fileURLWithPath: folder + "/half")
            try whole.prefix(whole.count / 2).write(to: half)
            #expect(try failure(half).contains("is damaged"))
        }
    }
}
