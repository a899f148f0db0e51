import Foundation
import GRDB
package import SessionLog

/// A whole health store in one file, to keep and to move to another machine.
///
/// The file is itself a health store: SQLite, in one file, without anything beside it. Its table `backup` has what lies beside a store:
/// the journals of sessions that wait to be recovered, and `config.json`.
package struct StoreBackup: Sendable {
    /// A file that is kept with the store.
    package struct Enclosure: Sendable, Equatable {
        /// Such as `config.json` or `sessions/ID.jsonl`.
        package var name: String
        package var content: Data

        package init(name: String, content: Data) {
            self.name = name
            self.content = content
        }
    }

    package let url: URL
    package let made: Date
    /// How many workouts are in it.
    package let workouts: Int
    package let enclosures: [Enclosure]

    private static let dateName = "made"

    /// Reads a backup, and checks that it is whole.
    ///
    /// - Parameter name: What people call the file; nil for its path.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a file that is none, is damaged, or was written by a newer version.
    package init(_ url: URL, named name: String? = nil) throws {
        self.url = url
        func fault(_ reason: String) -> HKError {
            HKError.make(.errorInvalidArgument, "\(name ?? url.path) cannot be restored: \(reason).")
        }
        guard FileManager.default.fileExists(atPath: url.path) else { throw fault("it does not exist") }
        if Self.isEncrypted(url) {
            throw fault("it is encrypted. Decrypt it first, and pipe it: workout restore - --yes")
        }
        do {
            let queue = try DatabaseQueue(path: url.path, configuration: Self.reading)
            (made, workouts, enclosures) = try queue.read { db -> (Date, Int, [Enclosure]) in
                guard try db.tableExists("backup"), try Schema.isEmptyOrOurs(db) else {
                    throw fault("it is no backup: 'workout backup FILE' makes one")
                }
                guard try !Schema.migrator.hasBeenSuperseded(db) else {
                    throw fault("a newer version wrote it: update this program")
                }
                let problems = try String.fetchAll(db, sql: "PRAGMA quick_check(1)").filter { $0 != "ok" }
                guard problems.isEmpty else { throw fault("it is damaged: use another backup") }
                let all = try Row.fetchAll(db, sql: "SELECT name, content FROM backup ORDER BY name")
                    .map { Enclosure(name: $0[0], content: $0[1]) }
                let date = all.first { $0.name == Self.dateName }
                    .flatMap { Double(String(decoding: $0.content, as: UTF8.self)) }
                return (
                    Date(timeIntervalSince1970: date ?? 0), try Self.workouts(db),
                    all.filter { $0.name != Self.dateName }
                )
            }
        } catch let error as DatabaseError {
            let isNone = error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CANTOPEN
            throw fault(isNone ? "it is no backup: 'workout backup FILE' makes one" : "it is damaged")
        }
    }

    private static var reading: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        return configuration
    }

    /// As age (age-encryption.org/v1, also armored) and `openssl enc` write it.
    private static func isEncrypted(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url), let start = try? file.read(upToCount: 32) else {
            return false
        }
        return ["age-encryption.org/", "-----BEGIN AGE ", "Salted__"].contains { start.starts(with: Data($0.utf8)) }
    }

    static func workouts(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT coalesce(sum(count), 0) FROM run JOIN type ON type.id = run.type WHERE identifier = ?",
            arguments: [HKObjectType.workoutType().identifier]) ?? 0
    }

    // MARK: Making one

    /// Writes everything that is in a store at this moment, while others may go on writing.
    ///
    /// - Parameters:
    ///   - file: An unfinished file that nothing was written to; it is not finished here.
    ///   - enclosures: Read before this is called: a session that ends meanwhile is then in both, and recovered from neither.
    package static func write(
        _ database: SQLiteHealthDatabase, enclosing enclosures: [Enclosure], made: Date,
        to file: borrowing UnfinishedFile
    ) throws {
        let path = file.path
        try HKError.ofStore(at: database.location) {
            try database.database().writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        }
        let date = Data(String(made.timeIntervalSince1970).utf8)
        try HKError.ofStore(at: .file(path)) {
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(
                    sql:
                        "DROP TABLE IF EXISTS backup; CREATE TABLE backup (name TEXT PRIMARY KEY, content BLOB NOT NULL)"
                )
                for enclosure in enclosures + [Enclosure(name: dateName, content: date)] {
                    try db.execute(
                        sql: "INSERT INTO backup VALUES (?, ?)", arguments: [enclosure.name, enclosure.content])
                }
            }
            try queue.close()
        }
    }

    // MARK: Bringing it back

    /// Puts the backup in the place of everything that is in a store, in one transaction: who reads the store meanwhile sees the old
    /// or the new. Files beside the store are the caller's.
    package func restore(to database: SQLiteHealthDatabase) throws {
        guard case .file(let path) = database.location else { return }
        // Makes a store that does not exist, and its folder.
        let store = try HKError.ofStore(at: database.location) { try database.database() }
        let copy = try UnfinishedFile(URL(fileURLWithPath: path).appendingPathExtension("restored"))
        let copied = copy.path
        try HKError.ofStore(at: .file(url.path)) {
            let source = try DatabaseQueue(path: url.path, configuration: Self.reading)
            try source.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copied]) }
            try source.close()
        }
        try HKError.ofStore(at: database.location) {
            let last = try store.read { try Int.fetchOne($0, sql: "SELECT last FROM latestSequence") ?? 0 }
            let new = try DatabaseQueue(path: copied)
            try Schema.migrate(new)
            try new.write { db in
                try db.execute(sql: "DROP TABLE backup")
                // Every type has changed, for whoever watches it.
                try db.execute(
                    sql: "UPDATE sequence SET last = max((SELECT last FROM latestSequence), ?) + 1", arguments: [last])
                try db.execute(sql: "UPDATE type SET lastChange = (SELECT last FROM sequence)")
            }
            try new.backup(to: store)
            try new.close()
        }
        // Until here the copy has its name.
        withExtendedLifetime(copy) {}
        database.observers.storeChanged()
    }
}

extension SQLiteHealthDatabase {
    /// How many workouts are stored.
    package func workoutCount() throws -> Int { try read(StoreBackup.workouts) }

    /// Whether nothing was ever stored: neither a sample nor anything about the person or apps.
    package func isEmpty() throws -> Bool {
        try read {
            try Bool.fetchOne(
                $0,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM anyRun) AND NOT EXISTS (SELECT 1 FROM setting)
                        AND NOT EXISTS (SELECT 1 FROM deliveryApp)
                    """) ?? true
        }
    }
}
