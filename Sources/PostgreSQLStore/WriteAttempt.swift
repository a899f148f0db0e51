#if PostgreSQL
import Foundation
import HealthStore

/// A unique name of a write transaction on all servers.
struct WriteAttempt {
    /// The name of the connection. A lost connection is never used again, so its note stays.
    let client: Data
    let number: Int64

    /// How long notes are kept. They are read within the patience of a writer.
    private static let keptFor = "1 day"

    /// Whether the transaction was committed. It must have ended.
    func isNoted(_ connection: PostgreSQLConnection) throws -> Bool {
        let noted = try connection.query(
            "SELECT count(*) FROM writer WHERE client = ? AND attempt = ?", [.blob(client), .integer(number)])
        return noted[0].integer(0) > 0
    }

    /// In a transaction of a person.
    static func forgetOld(_ connection: PostgreSQLConnection) throws {
        try connection.run("DELETE FROM writer WHERE date < now() - interval '\(keptFor)'")
    }
}
#endif
