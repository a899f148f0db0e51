import GRDB

extension HKError {
    /// The result of `body`; what SQLite reports becomes an `HKError` that says what to do.
    static func ofStore<Result>(at location: StoreLocation, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw make(.errorDatabaseInaccessible, "\(location.title) \(error.advice)", cause: error)
        } catch let error as SampleRunError {
            throw make(
                .errorDatabaseInaccessible, "\(location.title) is damaged. \(error) Restore a backup.", cause: error)
        } catch {
            throw wrapping(error)
        }
    }
}

extension StoreLocation {
    fileprivate var title: String {
        switch self {
        case .memory: "The health store in memory"
        case .file(let path): "The health store \(path)"
        }
    }
}

extension DatabaseError {
    fileprivate var advice: String {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: "is being written by another process. Try again."
        case .SQLITE_FULL: "cannot grow: the disk is full. Make room and try again; nothing was changed."
        case .SQLITE_IOERR: "could not be read or written (\(message ?? "input/output error")). Nothing was changed."
        case .SQLITE_CANTOPEN: "cannot be opened. Check that its folder exists and that you may write there."
        case .SQLITE_READONLY, .SQLITE_PERM: "cannot be written. Check its permissions and its folder's."
        case .SQLITE_NOTADB: "is not a health store. Name another file, or move this one away."
        case .SQLITE_CORRUPT: "is damaged (\(message ?? "malformed")). Restore a backup."
        default: "reported: \(message ?? resultCode.description)."
        }
    }
}
