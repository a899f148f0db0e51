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
    private static let pipedFile = Result { URL(fileURLWithPath: try copyOfStandardInput.get().path) }
    private static let copyOfStandardInput = Result {
        guard isatty(STDIN_FILENO) == 0 else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message:
                    "'-' reads standard input, and nothing is piped in; for example: workout simulate -o - | workout replay -"
            )
        }
        return try UnnamedFile(of: "standard input") { write in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count == 0 { break }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw CommandFailure(
                        exitCode: .badInput,
                        message:
                            "cannot read standard input: \(String(cString: strerror(errno))); save it to a file and "
                            + "use that")
                }
                try buffer.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }

    /// Reading it; an error names it as it was typed.
    func reading<Result>(_ body: (URL) throws -> Result) throws -> Result {
        do {
            return try CommandFailure.badInput { try body(url) }
        } catch var failure as CommandFailure {
            failure.message = failure.message.replacingOccurrences(
                of: url.path, with: name == "-" ? "standard input" : url.path)
            throw failure
        }
    }
}
