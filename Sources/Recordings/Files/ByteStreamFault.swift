package import SessionLog

/// Why bytes could not be read, or not to their end.
package enum ByteStreamFault: Error, Sendable, Equatable {
    /// The system refused to open or read the file.
    case unreadable(FileFault)
    case directory(path: String)
    /// A pipe, a socket or a device.
    case notRegular(path: String)
    /// An archive is not what it should be. `byte` is where in the archive that shows.
    case damaged(path: String, byte: Int, reason: String)
    /// An archive uses something that this package does not read.
    case unsupported(path: String, reason: String)
    /// An archive says that it holds more than anybody's files do.
    case tooLarge(path: String, reason: String)
    /// Whoever reads does not want the rest.
    case cancelled(path: String)
}
