package import Foundation
import Synchronization

/// Changes of files and folders that are on the disk when a call returns: a loss of power takes none of them back.
///
/// A file's data and its entry in a folder reach the disk apart from each other; `fsync` of the file brings the one, that of
/// the folder the other (fsync(2)).
package enum DurableFile {
    /// Makes a folder, and those above it that are missing; each the owner's alone. One that is there stays as it is.
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
            // Somebody else may have made it meanwhile.
            guard again({ mkdir(path, 0o700) }) == 0 || errno == EEXIST else { throw FileFault("make", path) }
            try synchronize(folder: parent(of: folder))
        default: throw FileFault("make", path)
        }
    }

    /// Puts data into a file, whole or not at all; one that is there is replaced. The owner's alone.
    package static func write(_ data: Data, to file: URL) throws(FileFault) {
        var new = try UnfinishedFile(file)
        try new.write([UInt8](data))
        try new.finish()
    }

    /// Gives a file another name, perhaps in another folder. What has that name already goes.
    package static func move(_ file: URL, to other: URL) throws(FileFault) {
        guard rename(file.path, other.path) == 0 else { throw FileFault("move to \(other.path)", file.path) }
        try synchronize(folder: parent(of: other))
        if parent(of: file).path != parent(of: other).path { try synchronize(folder: parent(of: file)) }
    }

    /// Removes a file; nothing, where it is gone already.
    package static func remove(_ file: URL) throws(FileFault) {
        guard unlink(file.path) == 0 || errno == ENOENT else { throw FileFault("remove", file.path) }
        try synchronize(folder: parent(of: file))
    }

    /// Waits until the disk has the entries of a folder.
    static func synchronize(folder: URL) throws(FileFault) {
        try OpenFile(folder: folder.path).synchronizeEntries()
    }

    fileprivate static func parent(of url: URL) -> URL { url.deletingLastPathComponent() }
}

/// A file on its way to the disk, piece by piece: under another name until it is finished, and gone when it never is.
package struct UnfinishedFile: ~Copyable {
    private let file: URL
    /// Where it is until it is finished.
    package let path: String
    private let open: OpenFile
    private var isFinished = false

    /// Removes what processes that were killed left of files like this one, once a folder and process.
    ///
    /// - Parameter file: what it is to be; one that is there is replaced. The owner's alone.
    package init(_ file: URL) throws(FileFault) {
        Self.removeAbandoned(beside: file)
        let path = file.appendingPathExtension("\(getpid()).part").path
        open = try Self.create(path)
        self.path = path
        self.file = file
    }

    /// Makes the file and locks it, by which others see that somebody writes it.
    private static func create(_ path: String) throws(FileFault) -> OpenFile {
        while true {
            unlink(path)
            let open = try OpenFile(creating: path)
            // Somebody may have taken it for abandoned before it was locked. A file system without locks has none to lose.
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

    /// Whether a name is of an unfinished file with the same ending, `*.fit.4711.part`; without one, of the same name.
    static func isUnfinished(_ name: String, like file: URL) -> Bool {
        guard let match = name.wholeMatch(of: /(.+)\.[0-9]{1,10}\.part/) else { return false }
        if file.pathExtension.isEmpty { return match.1 == file.lastPathComponent }
        return match.1.hasSuffix("." + file.pathExtension)
    }

    /// A file that is never finished, but read again.
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

    /// Puts bytes in the place of the first ones.
    package func replaceStart(by bytes: [UInt8]) throws(FileFault) { try open.write(bytes, at: 0) }

    /// Reads what was written.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        var place = 0
        while case let bytes = try open.bytes(at: place, count: 1 << 16), !bytes.isEmpty {
            try body(bytes)
            place += bytes.count
        }
    }

    /// The file is on the disk, whole and under its name, when this returns.
    ///
    /// - Parameter replacing: Otherwise a file that has the name by now stays, and the fault's code is `EEXIST`.
    package mutating func finish(replacing: Bool = true) throws(FileFault) {
        try open.synchronize()
        if replacing {
            guard rename(path, file.path) == 0 else { throw FileFault("write", file.path) }
        } else {
            // Unlike `rename`, a link never takes a name from another file.
            guard link(path, file.path) == 0 else { throw FileFault("write", file.path) }
            unlink(path)
        }
        isFinished = true
        try DurableFile.synchronize(folder: DurableFile.parent(of: file))
    }
}

/// A file whose data somebody else writes, and that is brought to the disk without holding the writer up.
package final class SynchronizedFile: Sendable {
    private let file: OpenFile

    package init(_ url: URL) throws(FileFault) {
        file = try OpenFile(reading: url.path)
    }

    /// Waits until the disk has what was written so far.
    package func synchronize() throws(FileFault) {
        try file.synchronize()
    }
}
