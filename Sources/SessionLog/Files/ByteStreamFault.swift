/// The reason why bytes could not be read, or not to their end.
package enum ByteStreamFault: Error, Sendable, Equatable {
    /// The system refused to open or read the file.
    case unreadable(FileFault)
    case directory(path: String)
    /// A pipe, a socket or a device.
    case notRegular(path: String)
    /// An archive is damaged. `byte` is the place in the archive that shows it.
    case damaged(path: String, byte: Int, reason: String)
    /// An archive uses a feature that this package cannot read.
    case unsupported(path: String, reason: String)
    /// An archive claims to hold more than real files do.
    case tooLarge(path: String, reason: String)
    /// The reader cancelled.
    case cancelled(path: String)
}
