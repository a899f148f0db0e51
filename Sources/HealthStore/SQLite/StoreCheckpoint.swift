import Foundation
import GRDB
import Synchronization

/// Keeps a store that nobody has open in one file, so that a copy of that file is a copy of the store.
///
/// SQLite moves what the write-ahead log holds into the file when the last connection is closed, and no process closes its connections
/// when it ends. (sqlite.org/wal.html, section 2.3)
enum StoreCheckpoint {
    /// How long the end of a process waits for others that are writing.
    private static let patienceInSeconds = 1.0
    private static let paths = Mutex<Set<String>>([])

    /// Moves the log of this store into its file when the process ends.
    static func makeAtExit(of path: String) {
        let isFirst = paths.withLock { paths in
            defer { paths.insert(path) }
            return paths.isEmpty
        }
        if isFirst { atexit { StoreCheckpoint.makeAll() } }
    }

    private static func makeAll() {
        // What cannot be moved now stays in the log, where it is as safe as before.
        for path in paths.withLock({ $0 }) where size(of: path + "-wal") > 0 { try? make(path) }
    }

    /// Over a connection of its own: those that the process has may be busy until the very end.
    private static func make(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patienceInSeconds)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
    }

    /// Whether a file was a store before, holds nothing, and has no log: a copy that was made without the log.
    ///
    /// Such a file has one page, which only says that there is a log (sqlite.org/fileformat.html, section 1.3). A copy of a file that
    /// has some pages lacks what was in the log, too; nothing shows that.
    static func lacksItsLog(_ path: String) -> Bool {
        guard size(of: path + "-wal") == 0, let file = FileHandle(forReadingAtPath: path),
            let header = try? file.read(upToCount: 32), header.count == 32
        else { return false }
        let isLogged = header[18] == 2 && header[19] == 2
        let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        return isLogged && pages <= 1
    }

    /// 0 for a file that does not exist.
    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
