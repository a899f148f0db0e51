import Foundation

/// A temporary file without a name. Nobody finds it, and it disappears with its owner, however that ends.
final class UnnamedFile: Sendable {
    private let descriptor: Int32

    /// A path that can be opened any number of times, as long as this object exists.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Parameters:
    ///   - content: The origin of the copied bytes, for errors.
    ///   - fill: Passes the bytes on, piece by piece.
    init(of content: String, fill: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path
        var name = (folder + "/workout-XXXXXX").utf8CString.map { $0 }
        let file = mkstemp(&name)
        func fault() -> CommandFailure {
            CommandFailure(
                exitCode: .badInput,
                message:
                    "cannot keep \(content) below \(folder): \(String(cString: strerror(errno))); save it to a file and "
                    + "use that")
        }
        guard file >= 0 else { throw fault() }
        unlink(name)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        descriptor = file
        try fill { bytes in
            var written = 0
            while written < bytes.count {
                let more = write(file, bytes.baseAddress! + written, bytes.count - written)
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { throw fault() }
                written += more
            }
        }
    }

    deinit { close(descriptor) }
}
