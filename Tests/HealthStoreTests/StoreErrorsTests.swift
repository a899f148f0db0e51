import Foundation
import GRDB
import MadeSamples
import Testing

@testable import HealthStore

/// The store's errors: the cause, a remedy, the code for apps, and no SQL.
@Suite struct StoreErrorsTests {
    private func failure(_ body: () throws -> Void) throws -> HKError {
        let error = #expect(throws: HKError.self, performing: body)
        return try #require(error)
    }

    private func expect(_ error: HKError, _ code: HKError.Code, saying words: String) {
        #expect(error.code == code)
        #expect(error.localizedDescription.contains(words), "\(error.localizedDescription)")
        #expect(!error.localizedDescription.contains("SELECT"))
        #expect(!error.localizedDescription.contains("PRAGMA"))
        #expect(!error.localizedDescription.contains("INSERT"))
    }

    @Test(arguments: [
        (ResultCode.SQLITE_BUSY, HKError.Code.errorDatabaseInaccessible, "is locked: another process"),
        (.SQLITE_FULL, .errorDatabaseInaccessible, "the disk is full"),
        (.SQLITE_IOERR, .errorDatabaseInaccessible, "the disk or the file system failed"),
        (.SQLITE_READONLY, .errorDatabaseInaccessible, "is read-only"),
        (.SQLITE_CANTOPEN, .errorHealthDataUnavailable, "cannot be opened"),
        (.SQLITE_NOTADB, .errorHealthDataUnavailable, "is not a health store"),
        (.SQLITE_CORRUPT, .errorHealthDataUnavailable, "is damaged"),
        (.SQLITE_CONSTRAINT, .unknownError, "SQLite error 19"),
    ])
    func `each cause has its message and its code`(result: ResultCode, code: HKError.Code, words: String) throws {
        let database = SQLiteHealthDatabase(.memory)
        let error = try failure {
            try database.withWriter { _ in
                throw DatabaseError(resultCode: result, message: "SELECT 1", sql: "INSERT INTO run VALUES (1)")
            }
        }
        expect(error, code, saying: words)
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.domain == HKError.storeCauseDomain)
        #expect(cause.localizedDescription.contains("INSERT INTO run"))
    }

    @Test(arguments: ["mysql://me:secret@host/db", "foo://x", "file:///tmp/x", "SQLite+x://"])
    func `an address of an unknown kind is rejected, and no password is shown`(address: String) throws {
        let location = StoreLocation(variables: ["HEALTHKIT_STORE": address])
        let scheme = String(address.prefix { $0 != ":" })
        #expect(location == .unknown(scheme: scheme))
        let error = try failure { _ = try SQLiteHealthDatabase(location).storedProfile() }
        expect(error, .errorInvalidArgument, saying: "by \(scheme)://")
        #expect(!error.localizedDescription.contains("secret"))
        #expect(location.journalFolder == nil)
    }

    @Test(arguments: [
        ("postgresql://me:secret@a,b/db?target_session_attrs=read-write&person=J%C3%BCrgen", "Jürgen"),
        ("postgres://me:secret@a,b/db?password=secret", "anna"), ("postgresql://?service=secret", "anna"),
    ])
    func `an address of PostgreSQL names a person and shows no password`(address: String, person: String) throws {
        let location = StoreLocation(
            variables: ["HEALTHKIT_STORE": address, "HEALTHKIT_PERSON": "anna", "HOME": "/home/x"])
        guard case .postgreSQL(let parsed) = location else { throw HKError.make(.unknownError, "\(location)") }
        #expect(parsed.person == person)
        #expect(!parsed.connection.contains("person="))
        #expect(!location.title.contains("secret") && location.title.contains("(person \(person))"))
        let folder = try #require(location.journalFolder)
        #expect(folder.path.hasPrefix("/home/x/.local/share/healthkit/postgresql/"))
        #expect(!folder.path.contains("secret"))
        #if !PostgreSQL
        let error = try failure { _ = try SQLiteHealthDatabase(location).storedProfile() }
        expect(error, .errorInvalidArgument, saying: "package trait PostgreSQL")
        #endif
    }

    @Test(arguments: ["/tmp/a://b", "a:b", "://x", "1a://b", "./x://y"])
    func `a path that resembles an address stays a path`(path: String) {
        guard case .file = StoreLocation(variables: ["HEALTHKIT_STORE": path]) else {
            Issue.record("\(path) is no path")
            return
        }
    }

    @Test func `a store overwritten with noise is damaged`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            try SQLiteHealthDatabase(.file(path)).save(
                (0..<5000).map { Made.heartRate(60, at: Double($0)) }, from: Made.source("App"))
            try DatabaseQueue(path: path).writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let size = try file.seekToEnd()
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
            try file.close()
            let error = try failure { _ = try SQLiteHealthDatabase(.file(path)).all(Made.heartRate) }
            expect(error, .errorHealthDataUnavailable, saying: "is damaged")
        }
    }

    @Test func `another program's database is not a health store`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/other.sqlite"
            try DatabaseQueue(path: path).write {
                try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                for name in ["runs", "objects as columns"] {
                    try $0.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
                }
            }
            let error = try failure { _ = try SQLiteHealthDatabase(.file(path)).setting("a") }
            #expect(error.code != .errorInvalidArgument)
            #expect(!error.localizedDescription.contains("SELECT"))
        }
    }

    @Test func `a database with other tables is left alone`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/other.sqlite"
            let other = try DatabaseQueue(path: path)
            try other.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
            let error = try failure { _ = try SQLiteHealthDatabase(.file(path)).setting("a") }
            expect(error, .errorHealthDataUnavailable, saying: "another program's database")
            let tables = try other.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
            #expect(tables == ["song"])
        }
    }

    @Test func `a newer store is left alone, and named as the user named it`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            _ = try SQLiteHealthDatabase(.file(path)).setting("a")
            try DatabaseQueue(path: path).write {
                try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of the future')")
            }
            let error = try failure { _ = try SQLiteHealthDatabase(.file(path)).setting("a") }
            expect(
                error, .errorHealthDataUnavailable, saying: "The health store \(path) was written by a newer version")
        }
    }

    @Test func `a folder is not a store`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let error = try failure { _ = try SQLiteHealthDatabase(.file(folder)).setting("a") }
            expect(error, .errorHealthDataUnavailable, saying: "it is a folder")
        }
    }
}
