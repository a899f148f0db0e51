import Foundation
import GRDB
package import SessionLog

/// A backup: a whole health store in one file.
///
/// The file is itself a health store in SQLite, with no other files beside it. Its table `backup` holds the files that
/// lie beside a store: the journals of sessions to be recovered, and `config.json`.
package struct StoreBackup: Sendable {
    /// A file that is backed up with the store.
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
    /// The number of workouts.
    package let workouts: Int
    package let enclosures: [Enclosure]

    private static let dateName = "made"

    /// Opens a backup and checks that it is complete.
    ///
    /// - Parameter name: The name of the file in messages. Nil for its path.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a file that is not a backup, is damaged, or was written by a
    ///   newer version.
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
                    throw fault("it is not a backup: 'workout backup FILE' makes one")
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
            throw fault(isNone ? "it is not a backup: 'workout backup FILE' makes one" : "it is damaged")
        }
    }

    private static var reading: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        return configuration
    }

    /// The first bytes of files by age (age-encryption.org/v1, also armored) and `openssl enc`.
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

    /// Writes the present contents of a store, while others may go on writing.
    ///
    /// - Parameters:
    ///   - file: An empty unfinished file. The caller finishes it.
    ///   - enclosures: Read these first. A session that ends meanwhile is then in both, and recovered from neither.
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

    /// Replaces the contents of a store by the backup, in one transaction: a reader sees either the old or the new. The
    /// caller handles the files beside the store.
    package func restore(to database: SQLiteHealthDatabase) throws {
        guard case .file(let path) = database.location else { return }
        // Creates a missing store and its folder.
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
                // Every type has changed for its observers.
                try db.execute(
                    sql: "UPDATE sequence SET last = max((SELECT last FROM latestSequence), ?) + 1", arguments: [last])
                try db.execute(sql: "UPDATE type SET lastChange = (SELECT last FROM sequence)")
            }
            try new.backup(to: store)
            try new.close()
        }
        // The copy is needed under its name until here.
        withExtendedLifetime(copy) {}
        database.observers.storeChanged()
    }
}

extension SQLiteHealthDatabase {
    /// The number of stored workouts.
    package func workoutCount() throws -> Int { try read(StoreBackup.workouts) }

    /// Whether nothing was ever stored: no sample, no profile and no settings of apps.
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
