import Foundation

/// A recording on the command line: a file, or `-` for standard input.
struct RecordingArgument: Sendable {
    /// As it was typed.
    let name: String
    /// The file with its bytes. Standard input is copied to a file without a name, since recordings are read more than
    /// once.
    let url: URL

    /// - Throws: If the name is empty, if nothing is piped in, or if there is no room for it.
    init(_ name: String) throws {
        try Self.check(name)
        self.name = name
        url = try name == "-" ? Self.pipedFile.get() : URL(fileURLWithPath: name)
    }

    /// - Throws: If the name is empty, which would otherwise be the current folder.
    static func check(_ name: String) throws {
        guard name.isEmpty else { return }
        throw CommandFailure(
            exitCode: .wrongUsage, message: "the name of a file is empty; if it is in a variable, check that it is set")
    }

    /// A copy of standard input, which can be read only once. It disappears with the process.
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

    /// Runs `body` with the file. Errors name it as it was typed.
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
