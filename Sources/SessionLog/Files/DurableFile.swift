package import Foundation
import Synchronization

/// Changes to files and folders that are on the disk when a call returns and survive a loss of power.
///
/// The data of a file and its entry in a folder reach the disk separately: `fsync` of the file writes the data, and
/// `fsync` of the folder the entry (fsync(2)).
package enum DurableFile {
    /// Makes a folder and its missing parents, private to their owner. Existing folders stay as they are.
    package static func makeFolder(_ folder: URL) throws(FileFault) {
        let path = folder.path
        if again({ mkdir(path, 0o700) }) == 0 { return try synchronize(folder: parent(of: folder)) }
        switch errno {
        case EEXIST:
            var status = stat()
            guard again({ stat(path, &status) }) == 0 else { throw FileFault("use", path) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFault("use", path, code: ENOTDIR) }
        case ENOENT where path != "/" && !path.isEmpty:
            try makeFolder(parent(of: folder))
            // Another process may have made it in the meantime.
            guard again({ mkdir(path, 0o700) }) == 0 || errno == EEXIST else { throw FileFault("make", path) }
            try synchronize(folder: parent(of: folder))
        default: throw FileFault("make", path)
        }
    }

    /// Writes a file completely or not at all, private to its owner. It replaces an existing file.
    package static func write(_ data: Data, to file: URL) throws(FileFault) {
        var new = try UnfinishedFile(file)
        try new.write([UInt8](data))
        try new.finish()
    }

    /// Renames a file, perhaps to another folder. It replaces an existing file of that name.
    package static func move(_ file: URL, to other: URL) throws(FileFault) {
        guard rename(file.path, other.path) == 0 else { throw FileFault("move to \(other.path)", file.path) }
        try synchronize(folder: parent(of: other))
        if parent(of: file).path != parent(of: other).path { try synchronize(folder: parent(of: file)) }
    }

    /// Removes a file. Does nothing if there is none.
    package static func remove(_ file: URL) throws(FileFault) {
        guard unlink(file.path) == 0 || errno == ENOENT else { throw FileFault("remove", file.path) }
        try synchronize(folder: parent(of: file))
    }

    /// Waits until the entries of a folder are on the disk.
    static func synchronize(folder: URL) throws(FileFault) {
        try OpenFile(folder: folder.path).synchronizeEntries()
    }

    fileprivate static func parent(of url: URL) -> URL { url.deletingLastPathComponent() }
}

/// A file that is written piece by piece. It has another name until it is finished, and is removed if it never is.
package struct UnfinishedFile: ~Copyable {
    private let file: URL
    /// The path until the file is finished.
    package let path: String
    private let open: OpenFile
    private var isFinished = false

    /// Creates the file, private to its owner. Once per folder and process it also removes what killed processes left
    /// of similar files.
    ///
    /// - Parameter file: The final file. An existing one is replaced.
    package init(_ file: URL) throws(FileFault) {
        Self.removeAbandoned(beside: file)
        let path = file.appendingPathExtension("\(getpid()).part").path
        open = try Self.create(path)
        self.path = path
        self.file = file
    }

    /// Creates the file and locks it, to show other processes that it is being written.
    private static func create(_ path: String) throws(FileFault) -> OpenFile {
        while true {
            unlink(path)
            let open = try OpenFile(creating: path)
            // Another process may have removed it as abandoned before it was locked. File systems without locks cannot
            // lose one.
            if (try? open.lock()) ?? true, open.hasName { return open }
        }
    }

    private static let swept = Mutex<Set<String>>([])

    private static func removeAbandoned(beside file: URL) {
        let folder = DurableFile.parent(of: file)
        let kind = file.pathExtension.isEmpty ? file.lastPathComponent : "*." + file.pathExtension
        guard swept.withLock({ $0.insert(folder.appendingPathComponent(kind).path).inserted }) else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard isUnfinished(name, like: file) else { continue }
            let path = folder.appendingPathComponent(name).path
            if let open = try? OpenFile(reading: path), (try? open.status().kind) == .regular,
                (try? open.lock()) == true
            {
                unlink(path)
            }
        }
    }

    /// Returns whether a name is that of an unfinished file with the same extension, `*.fit.4711.part`. Without an
    /// extension, the whole name must match.
    static func isUnfinished(_ name: String, like file: URL) -> Bool {
        guard let match = name.wholeMatch(of: /(.+)\.[0-9]{1,10}\.part/) else { return false }
        if file.pathExtension.isEmpty { return match.1 == file.lastPathComponent }
        return match.1.hasSuffix("." + file.pathExtension)
    }

    /// Creates a file that is never finished but read again.
    package init(waitingIn folder: URL) throws(FileFault) {
        try self.init(folder.appendingPathComponent("workout-\(UUID().uuidString)"))
        unlink(path)
    }

    deinit { if !isFinished { unlink(path) } }

    package func write(_ bytes: [UInt8]) throws(FileFault) {
        var written = 0
        while written < bytes.count {
            written += try bytes[written...].withUnsafeBufferPointer { (rest) throws(FileFault) in
                try open.write(rest)
            }
        }
    }

    /// Overwrites the first bytes.
    package func replaceStart(by bytes: [UInt8]) throws(FileFault) { try open.write(bytes, at: 0) }

    /// Reads the bytes written so far.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        var place = 0
        while case let bytes = try open.bytes(at: place, count: 1 << 16), !bytes.isEmpty {
            try body(bytes)
            place += bytes.count
        }
    }

    /// Finishes the file: when this returns, it is complete, under its name and on the disk.
    ///
    /// - Parameter replacing: Whether to replace an existing file. If false and there is one, it stays and the fault's
    ///   code is `EEXIST`.
    package mutating func finish(replacing: Bool = true) throws(FileFault) {
        try open.synchronize()
        if replacing {
            guard rename(path, file.path) == 0 else { throw FileFault("write", file.path) }
        } else {
            // Unlike `rename`, a link never replaces another file.
            guard link(path, file.path) == 0 else { throw FileFault("write", file.path) }
            unlink(path)
        }
        isFinished = true
        try DurableFile.synchronize(folder: DurableFile.parent(of: file))
    }
}

/// A file written by someone else, whose data is brought to the disk without delaying the writer.
package final class SynchronizedFile: Sendable {
    private let file: OpenFile

    package init(_ url: URL) throws(FileFault) {
        file = try OpenFile(reading: url.path)
    }

    /// Waits until everything written so far is on the disk.
    package func synchronize() throws(FileFault) {
        try file.synchronize()
    }
}
