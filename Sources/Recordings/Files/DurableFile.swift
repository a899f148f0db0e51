package import Foundation

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
    private let path: String
    private let open: OpenFile
    private var isFinished = false

    /// - Parameter file: what it is to be; one that is there is replaced. The owner's alone.
    package init(_ file: URL) throws(FileFault) {
        let path = file.appendingPathExtension("\(getpid()).part").path
        // Of a process that died.
        unlink(path)
        open = try OpenFile(creating: path)
        self.path = path
        self.file = file
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
