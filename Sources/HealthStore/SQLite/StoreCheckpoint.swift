import Foundation
import GRDB
import Synchronization

/// Keeps a store in one file while nobody has it open, so that copying the file copies the store.
///
/// SQLite moves the write-ahead log into the file when the last connection is closed, but a process that ends does not
/// close its connections. (sqlite.org/wal.html, section 2.3)
enum StoreCheckpoint {
    /// How long a process that ends waits for other writers.
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
        // Otherwise the data stays in the log, where it is just as safe.
        for path in paths.withLock({ $0 }) where size(of: path + "-wal") > 0 { try? make(path) }
    }

    /// It uses its own connection, because the others may be busy to the very end.
    private static func make(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patienceInSeconds)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
    }

    /// Whether a file is a copy of a store without its log: it was a store, is empty, and has no log beside it.
    ///
    /// Such a file has one page, which only states that there is a log (sqlite.org/fileformat.html, section 1.3). A
    /// copy with more pages lacks the contents of its log too, but cannot be recognized.
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
