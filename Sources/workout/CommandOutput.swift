import ArgumentParser
import Foundation
import HealthKit
import Synchronization

/// What the command says: all text leaves it here, on standard output or on standard error.
///
/// What is printed is harmless to a terminal, whatever a sensor, a file or an app calls itself: see `PrintableText`. A
/// name cannot make a line of its own either.
///
/// A stream that cannot be written is closed: nothing more is printed, and who asked for it is told (``whenClosed(_:)``), so
/// that a command that only prints can end. A session goes on. At the end, a reader that has left (EPIPE) is no fault: it had
/// what it wanted. Anything else (ENOSPC, EIO …) is one, and ``finish()`` throws it: see ``CommandFailure``.
final class CommandOutput: Sendable {
    static let standard = CommandOutput(STDOUT_FILENO)
    static let error = CommandOutput(STDERR_FILENO)

    private let descriptor: Int32
    private let name: String
    private let isImmediate: Bool
    private let state = Mutex(State())
    /// In a pipe or a file as much is written at once.
    private static let bufferSize = 1 << 16

    private struct State {
        var pending: [UInt8] = []
        /// The `errno` of the write that failed.
        var fault: Int32?
        var whenClosed: (@Sendable () -> Void)?
    }

    /// - Parameter descriptor: Stays open. On a terminal, and on standard error, lines are written as they are printed.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        name = descriptor == STDERR_FILENO ? "standard error" : "standard output"
        isImmediate = descriptor == STDERR_FILENO || isatty(descriptor) == 1
    }

    // MARK: Printing

    /// One line of text, or of JSON: as harmless as `JSONText` is already.
    func print(_ line: String) { write(Array((PrintableText.of(line) + "\n").utf8)) }

    /// Lines that ``StyledLine`` made, whose escape sequences are its own: see ``StyledLine/text(_:)``.
    func print(styled lines: some Sequence<String>) {
        for line in lines { write(Array((StyledLine.withOwnSequences(line) + "\n").utf8)) }
    }

    /// Text after which the cursor stays where it is: a question.
    func print(prompt: String) {
        write(Array(PrintableText.of(prompt).utf8))
        flush()
    }

    /// Bytes as they are: a recording, what ArgumentParser says of itself, what moves the cursor.
    func write(_ bytes: some Collection<UInt8>) {
        let closed = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.fault == nil else { return nil }
            state.pending.append(contentsOf: bytes)
            guard isImmediate || state.pending.count >= Self.bufferSize else { return nil }
            return writePending(&state)
        }
        closed?()
    }

    /// What was printed is where it belongs: in front of a reader that waits for it.
    func flush() { state.withLock { writePending(&$0) }?() }

    /// - Returns: Whom to tell that nothing can be written any more.
    private func writePending(_ state: inout State) -> (@Sendable () -> Void)? {
        defer { state.pending.removeAll(keepingCapacity: true) }
        guard state.fault == nil, let fault = Self.write(state.pending, to: descriptor) else { return nil }
        state.fault = fault
        defer { state.whenClosed = nil }
        return state.whenClosed
    }

    /// Waits for a slow reader. The `errno` of a failure.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if written < 0, errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, 1_000)
                } else if written == 0 || errno != EINTR {
                    return written == 0 ? EIO : errno
                }
            }
            return nil
        }
    }

    /// Whether a stream leads to systemd's journal, which keeps what is printed: systemd.exec(5), `$JOURNAL_STREAM`, has the device and
    /// the inode of the journal's socket.
    static func isJournal(
        _ descriptor: Int32 = STDOUT_FILENO, variables: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard let journal = variables["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && journal == "\(status.st_dev):\(status.st_ino)"
    }

    // MARK: The end

    /// Whether nothing that is printed arrives any more.
    var isClosed: Bool { state.withLock { $0.fault != nil } }

    /// Calls `body` when the stream is closed, at once where it is; nil takes it back. On the thread that prints.
    func whenClosed(_ body: (@Sendable () -> Void)?) {
        let isClosed = state.withLock { state in
            state.whenClosed = state.fault == nil ? body : nil
            return state.fault != nil
        }
        if isClosed { body?() }
    }

    /// Writes what is left.
    /// - Throws: When something that was printed did not arrive although somebody still waits for it.
    func finish() throws(CommandFailure) {
        flush()
        guard let fault = state.withLock({ $0.fault }), fault != EPIPE else { return }
        throw CommandFailure(
            exitCode: .outputFault,
            message:
                "\(name) cannot be written, so the output is incomplete: \(String(cString: strerror(fault))). "
                + (fault == ENOSPC || fault == EDQUOT
                    ? "Free some disk space or redirect it elsewhere" : "Redirect it elsewhere")
                + ", and run the command again; anything already stored is kept")
    }

    /// A reader that leaves is an error of a write, not a signal that ends the process. A standard stream that is closed
    /// from the start is taken by nothing: else the next file that is opened, the store, would have its number, and what is
    /// printed would be written into it.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Reading from it ends at once; writing to it fails, and that is said.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

/// On standard output. Hides Swift's own `print`, which neither looks at what it prints nor at whether it arrives.
func print(_ line: String) { CommandOutput.standard.print(line) }
