import Foundation

/// A recording on the command line: a file, or `-` for what is piped in.
struct RecordingArgument: Sendable {
    /// As it was typed.
    let name: String
    /// Where its bytes are. Those of a pipe are in a file without a name: recordings are read more than once.
    let url: URL

    /// - Throws: Where nothing is piped in, or there is no room for it.
    init(_ name: String) throws {
        self.name = name
        url = try name == "-" ? Self.pipedFile.get() : URL(fileURLWithPath: name)
    }

    /// What was piped in, which can be read once. Gone with the process.
    private static let pipedFile = Result { try copyOfStandardInput() }

    private static func copyOfStandardInput() throws -> URL {
        guard isatty(STDIN_FILENO) == 0 else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "'-' is what is piped in, and nothing is: workout simulate -o - | workout replay -")
        }
        let folder = FileManager.default.temporaryDirectory.path
        var name = (folder + "/workout-XXXXXX").utf8CString.map { $0 }
        let file = mkstemp(&name)
        func fault(_ deed: String) -> CommandFailure {
            CommandFailure(
                exitCode: .badInput,
                message: "cannot \(deed): \(String(cString: strerror(errno))); save it to a file and name that")
        }
        guard file >= 0 else { throw fault("keep what is piped in below \(folder)") }
        unlink(name)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw fault("read what is piped in")
            }
            var written = 0
            while written < count {
                let more = buffer.withUnsafeBytes { write(file, $0.baseAddress! + written, count - written) }
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { throw fault("keep what is piped in below \(folder)") }
                written += more
            }
        }
        return URL(fileURLWithPath: "/proc/self/fd/\(file)")
    }

    /// Reading it; an error names it as it was typed.
    func reading<Result>(_ body: (URL) throws -> Result) throws -> Result {
        do {
            return try CommandFailure.badInput { try body(url) }
        } catch var failure as CommandFailure {
            failure.message = failure.message.replacingOccurrences(
                of: url.path, with: name == "-" ? "what is piped in" : url.path)
            throw failure
        }
    }
}
