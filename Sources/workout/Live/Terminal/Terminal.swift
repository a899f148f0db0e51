import Dispatch
import Foundation

/// The user's terminal: where to draw, and where keys come from.
struct Terminal: Sendable, Equatable {
    /// The source of keys. Nil if standard input is not a terminal.
    var input: Int32?
    var output: Int32
    var capability: TerminalCapability

    /// Returns the terminal on standard output. Returns nil if no screen can be drawn there: a pipe, a file, a terminal
    /// that cannot move its cursor (`TERM=dumb`) or an unknown one (`TERM` not set).
    static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Terminal? {
        let term = environment["TERM"] ?? ""
        guard isatty(STDOUT_FILENO) == 1, !term.isEmpty, term != "dumb" else { return nil }
        return Terminal(
            input: isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : nil, output: STDOUT_FILENO,
            capability: TerminalCapability(environment: environment, isTerminal: true))
    }

    /// The size, queried each time, so that a new size is seen without waiting for SIGWINCH. 80×24 if the terminal does
    /// not know it.
    var size: TerminalSize {
        Self.size(of: output) ?? TerminalSize(columns: 80, rows: 24)
    }

    /// Returns nil if the descriptor is no terminal or does not know its size.
    static func size(of descriptor: Int32) -> TerminalSize? {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Writes all of the text and waits for a slow terminal.
    func write(_ text: String) throws(TerminalError) {
        var text = text
        let failure: Int32? = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let base = rest.baseAddress, !rest.isEmpty {
                let written = Foundation.write(output, base, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if written < 0, errno == EAGAIN {
                    var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&descriptor, 1, 1_000)
                } else if written == 0 || errno != EINTR {
                    return errno
                }
            }
            return nil
        }
        if let failure { throw TerminalError(action: "write to", code: failure) }
    }

    /// Returns the keys as they are pressed. The stream ends when the terminal hangs up. One consumer at a time. A slow
    /// consumer gets the last 64 keys, and reading stops when the consumer goes.
    ///
    /// The terminal must be in ``ScreenMode``: a `read` then never waits, so the queue is never blocked.
    func keys() -> AsyncStream<Key> {
        let (keys, continuation) = AsyncStream.makeStream(of: Key.self, bufferingPolicy: .bufferingNewest(64))
        guard let input else {
            continuation.finish()
            return keys
        }
        let reader = KeyReader(input: input, keys: continuation)
        continuation.onTermination = { _ in reader.stop() }
        reader.start()
        return keys
    }
}

/// A failed operation on the terminal.
struct TerminalError: Error, Equatable, CustomStringConvertible {
    /// The failed action, as in "cannot … the terminal".
    var action: String
    /// The value of `errno`.
    var code: Int32

    var description: String {
        "cannot \(action) the terminal: \(String(cString: strerror(code))); pipe the output to get plain lines"
    }
}

// Unchecked: only the source's event handler touches `decoder`, on its one serial queue. A dispatch source may be
// activated and cancelled from any thread.
private final class KeyReader: @unchecked Sendable {
    private let input: Int32
    private let keys: AsyncStream<Key>.Continuation
    private let source: any DispatchSourceRead
    private var decoder = KeyDecoder()

    init(input: Int32, keys: AsyncStream<Key>.Continuation) {
        self.input = input
        self.keys = keys
        source = DispatchSource.makeReadSource(fileDescriptor: input, queue: DispatchQueue(label: "terminal.keys"))
    }

    func start() {
        source.setEventHandler { [weak self] in
            guard let self, !self.read() else { return }
            self.keys.finish()
        }
        source.activate()
    }

    func stop() {
        source.cancel()
    }

    /// Reads and reports keys. Returns false if no more can come.
    private func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Foundation.read(input, &bytes, bytes.count)
        if count > 0 {
            for key in decoder.feed(bytes.prefix(count)) { keys.yield(key) }
            return true
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        // No data: either somebody else took it, or the terminal is gone and would be "readable" forever.
        var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, 0)
        return count == 0 && Int32(descriptor.revents) & (POLLHUP | POLLERR | POLLNVAL | POLLIN) == 0
    }
}

/// The size of a terminal in character cells.
struct TerminalSize: Sendable, Equatable {
    var columns: Int
    var rows: Int
}
