import GRDB

extension HKError {
    /// Returns the result of `body`. An error of SQLite becomes an `HKError` that says what to do.
    ///
    /// ``HKError/Code/errorDatabaseInaccessible`` may pass: another process writes, the disk is full, or the
    /// permissions are wrong. ``HKError/Code/errorHealthDataUnavailable`` does not pass: the store is damaged or no
    /// store at all.
    package static func ofStore<Result>(at location: StoreLocation, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw make(error.code, "\(location.title) \(error.advice)", cause: error)
        } catch let error as SampleRunError {
            throw make(
                .errorHealthDataUnavailable, "\(location.title) is damaged. \(error) Restore a backup.", cause: error)
        } catch {
            throw wrapping(error)
        }
    }

    /// The domain of underlying errors whose texts quote SQL. They are for developers and not shown to users.
    package static var storeCauseDomain: String { DatabaseError.errorDomain }
}

extension DatabaseError {
    fileprivate var code: HKError.Code {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH,
            .SQLITE_PROTOCOL, .SQLITE_NOMEM:
            .errorDatabaseInaccessible
        case .SQLITE_CANTOPEN, .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT: .errorHealthDataUnavailable
        default: .unknownError
        }
    }

    /// What happened and what to do, in plain words, because `message` quotes SQL for some errors.
    fileprivate var advice: String {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            "is locked: another process has been writing it for too long. Nothing was changed; try again."
        case .SQLITE_FULL: "cannot grow: the disk is full. Free some disk space and try again; nothing was changed."
        case .SQLITE_IOERR:
            "could not be read or written: the disk or the file system failed. Nothing was changed; check the disk, its "
                + "quota and its free space."
        case .SQLITE_CANTOPEN: "cannot be opened. Check that its folder exists and that you may write there."
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            "is read-only. Make the file and its folder writable, or choose another store with "
                + "HEALTHKIT_STORE."
        case .SQLITE_NOTADB, .SQLITE_FORMAT:
            "is not a health store: the file is not an SQLite database. Choose another file, or move this one away."
        case .SQLITE_CORRUPT: "is damaged: its file is malformed. Restore a backup."
        case .SQLITE_NOMEM: "needs more memory than available. Nothing was changed; try again with less at once."
        case .SQLITE_ERROR where message?.hasPrefix("no such table") == true:
            "is not a health store: its tables are different. Choose another file, or move this one away."
        default:
            "failed (SQLite error \(extendedResultCode.rawValue)). Nothing was changed; "
                + "please report this."
        }
    }
}
