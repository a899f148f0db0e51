#if PostgreSQL
import Foundation
package import HealthStore
import LibraryLoading

/// An error of libpq or of a server.
package struct PostgreSQLError: Error, CustomStringConvertible, CustomNSError {
    /// Five characters (PostgreSQL's manual, appendix A). Nil if no server answered.
    package var sqlState: String?
    /// For developers. It quotes the server and may be in the server's language.
    package var message: String
    /// Whether there was no connection yet.
    package var isConnecting = false
    private var isAboutLibrary = false

    package init(sqlState: String?, message: String, isConnecting: Bool = false) {
        self.sqlState = sqlState
        self.message = message
        self.isConnecting = isConnecting
    }

    /// The error of a program that cannot use any server.
    init(_ error: LibraryError) {
        self.init(sqlState: nil, message: "\(error)", isConnecting: true)
        isAboutLibrary = true
    }

    package static var errorDomain: String { HKError.storeCauseDomain }
    package var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    package var description: String { [sqlState, message].compactMap { $0 }.joined(separator: ": ") }

    /// Whether the same transaction may succeed the next time.
    package var isPassing: Bool { ["40001", "40P01"].contains(sqlState) || isAboutPreparedStatement }

    /// Whether the server lacks a prepared statement, or has one of this name from another client behind the same
    /// pooler.
    package var isAboutPreparedStatement: Bool { ["26000", "42P05"].contains(sqlState) }

    /// Whether the server went away, shuts down or is starting.
    package var isAboutConnection: Bool {
        guard let sqlState else { return !isRefusal }
        return sqlState.hasPrefix("08") || sqlState.hasPrefix("57P")
    }

    /// Whether another attempt would fail too. libpq does not pass on the server's code for a refused connection.
    private var isRefusal: Bool {
        isAboutLibrary
            || isConnecting
                && (refusal != nil
                    || ![
                        "onnection refused", "No such file", "timeout", "starting up", "shutting down", "read-only",
                        "hot standby",
                    ].contains {
                        message.contains($0)
                    })
    }

    private enum Refusal { case password, database, role, access, certificate, address }

    private var refusal: Refusal? {
        if sqlState == "28P01" || message.contains("password authentication failed") || message.contains("no password")
        {
            return .password
        }
        if sqlState == "3D000" || message.contains("database \"") && message.contains("does not exist") {
            return .database
        }
        if message.contains("role \"") && message.contains("does not exist") { return .role }
        if isConnecting, message.contains("certificate") || message.contains("does not support SSL") {
            return .certificate
        }
        if isConnecting,
            message.contains("URI ") || message.contains("definition of service") || message.contains("invalid ")
        {
            return .address
        }
        return sqlState == "28000" || message.contains("pg_hba.conf") || message.contains("authentication failed")
            ? .access : nil
    }

    package func described(_ location: StoreLocation) -> HKError {
        HKError.make(code, "\(location.title) \(advice)", cause: self)
    }

    private var code: HKError.Code {
        switch sqlState {
        case "42P01", "3F000", "3D000": .errorHealthDataUnavailable
        default: .errorDatabaseInaccessible
        }
    }

    /// What happened and what to do.
    private var advice: String {
        if isAboutLibrary { return message }
        switch refusal {
        case .password: return "refuses the password. Correct it in ~/.pgpass or in PGPASSWORD."
        case .database: return "does not exist on that server. Create it with 'createdb', or correct HEALTHKIT_STORE."
        case .role:
            return "does not know this user. Create it with 'createuser', or name another one in HEALTHKIT_STORE."
        case .certificate:
            return
                "cannot be reached over TLS (\(message)). Correct the host, sslmode or sslrootcert in HEALTHKIT_STORE, or the server's "
                + "certificate."
        case .address: return "has an address that cannot be used (\(message)). Correct HEALTHKIT_STORE."
        case .access:
            return "refuses this user. Allow the connection in the server's pg_hba.conf, or name another user."
        case nil: break
        }
        let isStandby = isConnecting && (message.contains("read-only") || message.contains("hot standby"))
        switch isStandby ? "25006" : sqlState {
        case "25006":
            return
                "is on a standby, which is read-only. Name all servers and target_session_attrs=read-write in HEALTHKIT_STORE."
        case "42501": return "does not allow this. Have its owner run: GRANT healthkit_app TO the user."
        case "53100":
            return "cannot grow: the server's disk is full. Free some space there and try again; nothing was changed."
        case "53200": return "needs more memory than the server has. Nothing was changed; try again with less at once."
        case "53300": return "has no connection free. Try again later, raise max_connections, or use PgBouncer."
        case "57014":
            return "took longer than its statement_timeout allows. Nothing was changed; raise it for this user."
        case "55P03":
            return "is locked: another client has been writing it for too long. Nothing was changed; try again."
        case "40001", "40P01": return "is busy: other clients write the same data. Nothing was changed; try again."
        case "42P01", "3F000", "42883", "42703":
            return
                "has another schema than this version. Update this program and the others that use the store."
        case "22021": return "cannot store a text with the character U+0000. Nothing was changed."
        default: break
        }
        if isConnecting, !isAboutConnection {
            return "refuses the connection (\(message)). Correct that on the server; nothing was changed."
        }
        return isAboutConnection
            ? "cannot be reached. Check that the server runs and that HEALTHKIT_STORE names it; nothing was changed."
            : "failed (\(sqlState.map { "PostgreSQL error \($0)" } ?? message)). Nothing was changed; please report this."
    }
}
#endif
