import ArgumentParser
import Foundation
import HealthKit
import Reports
import StoredWorkouts
import Synchronization

/// The command's output: all text goes through it to standard output or standard error.
///
/// Printed text cannot harm a terminal, whatever a sensor, a file or an app calls itself: see `PrintableText`. A name
/// cannot start a line of its own either.
///
/// If a stream cannot be written, it counts as closed: nothing more is printed, and ``whenClosed(_:)`` notifies a
/// command that only prints so that it can end. A session goes on. At the end, a reader that has left (EPIPE) is not an
/// error, since it had what it wanted. ``finish()`` throws on any other failure (ENOSPC, EIO …): see
/// ``CommandFailure``.
final class CommandOutput: Sendable {
    static let standard = CommandOutput(STDOUT_FILENO)
    static let error = CommandOutput(STDERR_FILENO)

    private let descriptor: Int32
    private let name: String
    private let isImmediate: Bool
    private let state = Mutex(State())
    /// The number of bytes collected before a write to a pipe or a file.
    private static let bufferSize = 1 << 16

    private struct State {
        var pending: [UInt8] = []
        /// The `errno` of the write that failed.
        var fault: Int32?
        var whenClosed: (@Sendable () -> Void)?
    }

    /// - Parameter descriptor: The file descriptor, which stays open. Lines are written as they are printed if it is a
    ///   terminal or standard error.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        name = descriptor == STDERR_FILENO ? "standard error" : "standard output"
        isImmediate = descriptor == STDERR_FILENO || isatty(descriptor) == 1
    }

    // MARK: Printing

    /// Prints one line of text or of JSON. `JSONText` is already harmless. Standard error has messages only, which are
    /// shown in the reader's language.
    func print(_ line: String) {
        let line = descriptor == STDERR_FILENO ? Language.current.message(line) : line
        write(Array((PrintableText.of(line) + "\n").utf8))
    }

    /// Prints lines of ``StyledLine``, which makes its own escape sequences: see ``StyledLine/text(_:)``.
    func print(styled lines: some Sequence<String>) {
        for line in lines { write(Array((StyledLine.withOwnSequences(line) + "\n").utf8)) }
    }

    /// Prints a question and leaves the cursor behind it.
    func print(prompt: String) {
        write(Array(PrintableText.of(Language.current.message(prompt)).utf8))
        flush()
    }

    /// Writes bytes unchanged: a recording, ArgumentParser's messages, cursor movements.
    func write(_ bytes: some Collection<UInt8>) {
        let closed = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.fault == nil else { return nil }
            state.pending.append(contentsOf: bytes)
            guard isImmediate || state.pending.count >= Self.bufferSize else { return nil }
            return writePending(&state)
        }
        closed?()
    }

    /// Writes everything printed so far, so that a reader who waits for it sees it.
    func flush() { state.withLock { writePending(&$0) }?() }

    /// - Returns: The observer to notify that nothing can be written any more.
    private func writePending(_ state: inout State) -> (@Sendable () -> Void)? {
        defer { state.pending.removeAll(keepingCapacity: true) }
        guard state.fault == nil, let fault = Self.write(state.pending, to: descriptor) else { return nil }
        state.fault = fault
        defer { state.whenClosed = nil }
        return state.whenClosed
    }

    /// Writes all bytes and waits for a slow reader. Returns the `errno` of a failure.
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

    /// Returns whether a stream leads to systemd's journal, which keeps what is printed. `$JOURNAL_STREAM` has the
    /// device and the inode of the journal's socket (systemd.exec(5)).
    static func isJournal(
        _ descriptor: Int32 = STDOUT_FILENO, variables: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard let journal = variables["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && journal == "\(status.st_dev):\(status.st_ino)"
    }

    // MARK: The end

    /// Whether the stream is closed, so that nothing printed arrives any more.
    var isClosed: Bool { state.withLock { $0.fault != nil } }

    /// Calls `body` when the stream is closed, immediately if it already is. Nil removes the observer. Runs on the
    /// thread that prints.
    func whenClosed(_ body: (@Sendable () -> Void)?) {
        let isClosed = state.withLock { state in
            state.whenClosed = state.fault == nil ? body : nil
            return state.fault != nil
        }
        if isClosed { body?() }
    }

    /// Writes what is left.
    /// - Throws: If some printed output did not arrive although somebody still waits for it.
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

    /// Makes a reader that leaves cause a write error instead of a signal that ends the process, and opens standard
    /// streams that are closed. Otherwise the next file opened, such as the store, would get their number, and printed
    /// text would be written into it.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Reading from it ends at once. Writing to it fails, and the failure is reported.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}

/// Prints a message on standard output, in the reader's language. Hides Swift's `print`, which checks neither what it prints nor whether it arrives.
func print(_ line: String) { CommandOutput.standard.print(Language.current.message(line)) }
