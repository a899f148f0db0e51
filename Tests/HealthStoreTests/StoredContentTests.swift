import GRDB
import Testing

@testable import HealthStore

struct StoredContentTests {
    @Test func `the content of a row is read as it is now`() throws {
        try DatabaseQueue().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE content (run INTEGER PRIMARY KEY, columns BLOB, archive BLOB);
                    INSERT INTO content (run, columns) VALUES (1, x'0102'), (2, x'03'), (3, NULL), (5, x'');
                    """)
            let statements = SQLiteStatements(db)
            func content(_ run: Int64) throws -> [UInt8]? {
                var bytes: [UInt8] = []
                return try statements.withContent(of: run) { bytes = Array($0) } ? bytes : nil
            }
            #expect(try content(1) == [1, 2])
            #expect(try content(2) == [3])
            #expect(try content(3) == nil)
            #expect(try content(4) == nil)
            #expect(try content(5) == [])
            #expect(try content(2) == [3])
            try db.execute(sql: "UPDATE content SET columns = x'040506' WHERE run = 2")
            #expect(try content(2) == [4, 5, 6])
            #expect(try statements.bytes(ofContent: 2, from: 1, atMost: 9) == [5, 6])
            try db.execute(sql: "DELETE FROM content WHERE run = 2")
            #expect(try content(2) == nil)
            #expect(throws: SampleRunError.self) { try statements.bytes(ofContent: 2, from: 0, atMost: 1) }
            #expect(try content(1) == [1, 2])
        }
    }
}
