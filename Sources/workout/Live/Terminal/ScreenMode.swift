import Foundation
import Synchronization

/// The terminal mode of a live screen, which is always restored.
///
/// This mode shows the alternate screen without a cursor and without wrapping. Keys arrive one by one and are not
/// echoed. The terminal's own signals stay on, so Ctrl-C and Ctrl-Z work even if this program hangs.
///
/// The terminal is restored even if the program fails:
/// - by ``leave()``,
/// - at `exit`,
/// - on SIGINT, SIGTERM and SIGHUP, inside the handler. The program then goes on, so that it can end a session in
///   order: see ``interruption``. The second such signal kills it,
/// - on SIGQUIT and on the signals of a crash, inside the handler, before the signal's previous action,
/// - on SIGTSTP. SIGCONT enters the mode again.
///
/// A process has one such mode, since it has one terminal.
enum ScreenMode {
    /// Enters the mode. If the terminal does not accept it, throws and leaves the terminal unchanged.
    static func enter(_ terminal: Terminal) throws(TerminalError) {
        let descriptor = terminal.input ?? terminal.output
        var original = termios()
        guard tcgetattr(descriptor, &original) == 0 else {
            throw TerminalError(action: "read the mode of", code: errno)
        }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 0
            characters[Int(VTIME)] = 0
        }
        saved.pointee.output = terminal.output
        saved.pointee.descriptor = descriptor
        saved.pointee.original = original
        saved.pointee.raw = raw
        interruptedBy.store(0, ordering: .sequentiallyConsistent)
        needsRedraw.store(false, ordering: .sequentiallyConsistent)
        isDrawing.store(false, ordering: .sequentiallyConsistent)
        guard tcsetattr(descriptor, TCSAFLUSH, &raw) == 0 else {
            throw TerminalError(action: "set the mode of", code: errno)
        }
        registerAtExit()
        isEntered.store(true, ordering: .sequentiallyConsistent)
        install()
        send(saved.pointee.enterSequence)
    }

    /// Whether this program owns the screen, so that nothing else may be written to it.
    static var isOn: Bool { isEntered.load(ordering: .sequentiallyConsistent) }

    /// Restores the terminal. Does nothing if it is restored already.
    static func leave() {
        restore()
        uninstall()
    }

    /// Writes to the screen, unless a signal restored the terminal, so that no part of a frame lands in the shell.
    static func draw(_ text: String, on terminal: Terminal) throws(TerminalError) {
        guard !text.isEmpty else { return }
        // On this thread the handlers wait until the frame is out. On another one they wait for `isDrawing`.
        var handled = sigset_t()
        var before = sigset_t()
        sigemptyset(&handled)
        for signal in endingSignals + [SIGQUIT, SIGTSTP, SIGCONT] { sigaddset(&handled, signal) }
        pthread_sigmask(SIG_BLOCK, &handled, &before)
        isDrawing.store(true, ordering: .sequentiallyConsistent)
        defer {
            isDrawing.store(false, ordering: .sequentiallyConsistent)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        guard isEntered.load(ordering: .sequentiallyConsistent) else { return }
        try terminal.write(text)
    }

    /// The signal that asked the program to end, if one did. The terminal is restored then.
    static var interruption: Int32? {
        let signal = interruptedBy.load(ordering: .sequentiallyConsistent)
        return signal == 0 ? nil : signal
    }

    /// Returns true once after the program was stopped and continued, since the screen no longer shows the last frame.
    static func takeNeedsRedraw() -> Bool {
        needsRedraw.exchange(false, ordering: .sequentiallyConsistent)
    }
}

// The handlers use only plain memory and atomics: they take no lock, allocate nothing and check no exclusive access.
// `enter` touches each of these before it installs a handler, so none is initialised in a handler.

private struct SavedTerminal {
    var output: Int32 = -1
    var descriptor: Int32 = -1
    var original = termios()
    var raw = termios()
    var enterSequence: UnsafeBufferPointer<UInt8>
    var leaveSequence: UnsafeBufferPointer<UInt8>
    /// The previous actions, by the signal's number.
    var previous: UnsafeMutablePointer<sigaction>
}

// Unsafe but sound: only `enter` and `install` write it, before they install the handlers that read it.
nonisolated(unsafe) private let saved: UnsafeMutablePointer<SavedTerminal> = {
    func bytes(_ text: String) -> UnsafeBufferPointer<UInt8> {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = buffer.initialize(from: text.utf8)
        return UnsafeBufferPointer(buffer)
    }
    let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    previous.initialize(repeating: sigaction(), count: 65)
    let pointer = UnsafeMutablePointer<SavedTerminal>.allocate(capacity: 1)
    pointer.initialize(
        to: SavedTerminal(
            // Private modes of xterm: 1049 alternate screen, 25 cursor, 7 wrapping, 2026 synchronized output.
            enterSequence: bytes("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"),
            leaveSequence: bytes("\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"),
            previous: previous))
    return pointer
}()

private let isEntered = Atomic<Bool>(false)
private let isDrawing = Atomic<Bool>(false)
private let needsRedraw = Atomic<Bool>(false)
private let interruptedBy = Atomic<Int32>(0)

/// Signals that ask the program to end.
private let endingSignals: [Int32] = [SIGINT, SIGTERM, SIGHUP]
/// Signals that end it without asking.
private let fatalSignals: [Int32] = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

private func send(_ bytes: UnsafeBufferPointer<UInt8>) {
    var offset = 0
    while offset < bytes.count, let base = bytes.baseAddress {
        let written = write(saved.pointee.output, base + offset, bytes.count - offset)
        if written <= 0 && errno != EINTR { return }
        offset += max(0, written)
    }
}

/// Restores the terminal. Async-signal-safe: `write`, `nanosleep` and `tcsetattr` are (POSIX.1-2017, 2.4.3).
private func restore() {
    guard isEntered.exchange(false, ordering: .sequentiallyConsistent) else { return }
    // A frame takes microseconds. A terminal stopped by Ctrl-S takes forever, so the wait is limited.
    for _ in 0..<20 where isDrawing.load(ordering: .sequentiallyConsistent) { usleep(1_000) }
    send(saved.pointee.leaveSequence)
    _ = tcsetattr(saved.pointee.descriptor, TCSADRAIN, &saved.pointee.original)
}

private func registerAtExit() {
    struct Once { static let registered: Void = { _ = atexit { restore() } }() }
    Once.registered
}

private func install() {
    // SA_RESETHAND on the first kind: if the program does not end, the second Ctrl-C finds the default action.
    for signal in endingSignals {
        set(signal, flags: Int32(bitPattern: SA_RESETHAND) | SA_RESTART) { signal in
            let error = errno
            restore()
            interruptedBy.store(signal, ordering: .sequentiallyConsistent)
            errno = error
        }
    }
    for signal in fatalSignals {
        set(signal, flags: SA_ONSTACK) { signal in
            restore()
            sigaction(signal, saved.pointee.previous + Int(signal), nil)
            // The signal waits until this handler returns. A fault occurs again by itself anyway.
            raise(signal)
        }
    }
    set(SIGTSTP, flags: SA_RESTART) { _ in
        let error = errno
        restore()
        stopUntilContinued()
        errno = error
    }
    set(SIGCONT, flags: SA_RESTART) { _ in
        let error = errno
        reenter()
        errno = error
    }
}

private func uninstall() {
    for signal in endingSignals + fatalSignals + [SIGTSTP, SIGCONT] {
        sigaction(signal, saved.pointee.previous + Int(signal), nil)
    }
}

private func set(_ signal: Int32, flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = flags
    sigemptyset(&action.sa_mask)
    sigaction(signal, &action, saved.pointee.previous + Int(signal))
    // Signals that the caller ignores (`nohup`, a job in the background) stay ignored.
    if isIgnoring(saved.pointee.previous[Int(signal)].__sigaction_handler.sa_handler) {
        sigaction(signal, saved.pointee.previous + Int(signal), nil)
    }
}

/// Does what Ctrl-Z does without a handler. Returns when somebody continues the process.
private func stopUntilContinued() {
    var handler = sigaction()
    var only = sigset_t()
    var before = sigset_t()
    sigaction(SIGTSTP, saved.pointee.previous + Int(SIGTSTP), &handler)
    sigemptyset(&only)
    sigaddset(&only, SIGTSTP)
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &only, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &handler, nil)
    // SIGCONT's handler has entered the mode again, unless SIGTSTP is ignored here and nothing stopped.
    if !isEntered.load(ordering: .sequentiallyConsistent) { reenter() }
}

private func reenter() {
    guard interruptedBy.load(ordering: .sequentiallyConsistent) == 0 else { return }
    // After SIGSTOP the shell has set the terminal to its own mode, although nothing was restored here.
    isEntered.store(true, ordering: .sequentiallyConsistent)
    _ = tcsetattr(saved.pointee.descriptor, TCSADRAIN, &saved.pointee.raw)
    send(saved.pointee.enterSequence)
    needsRedraw.store(true, ordering: .sequentiallyConsistent)
}
