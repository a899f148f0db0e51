#if PostgreSQL
import Foundation
import HealthStore

/// A write transaction, by a name that no other one has on any server.
struct WriteAttempt {
    /// Of the connection. One that is lost is never used again, so its note stays.
    let client: Data
    let number: Int64

    /// How long notes are kept. An attempt is asked for within the patience of a writer.
    private static let keptFor = "1 day"

    /// Whether the transaction is in the store. It must be over.
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
