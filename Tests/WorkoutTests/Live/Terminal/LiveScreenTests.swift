import Foundation
import Synchronization
import Testing

@testable import workout

/// A live screen on a pseudo terminal, whose modes and sizes are the kernel's. Tests run one by one, because a
/// process has one screen.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveScreenTests {
    private struct Failure: Error, Equatable {}

    @Test func `the screen is taken over, drawn and restored`() async throws {
        let pseudo = try PseudoTerminal(columns: 40, rows: 10)
        let before = pseudo.mode
        let drawn = Gate()
        let count = Mutex(0)
        let end = try await LiveScreen(terminal: pseudo.terminal).run(
            clock: YieldingClock(),
            snapshot: {
                #expect(pseudo.mode.c_lflag & tcflag_t(ICANON | ECHO) == 0)
                let frames = count.withLock {
                    $0 += 1; return $0
                }
                if frames == 3 { drawn.open() }
                var snapshot = LiveSnapshot.full
                snapshot.durationInSeconds = Double(frames)
                return snapshot
            },
            keys: { _ in },
            until: { await drawn.wait() })
        #expect(end == .finished)
        let after = pseudo.mode
        #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
        let output = pseudo.output()
        #expect(output.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"))
        #expect(output.contains("Outdoor running"))
        #expect(output.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test func `keys arrive in order while the screen runs`() async throws {
        let pseudo = try PseudoTerminal(columns: 40, rows: 10)
        let all = Gate()
        let seen = Mutex<[Key]>([])
        let typed = Mutex(false)
        _ = try await LiveScreen(terminal: pseudo.terminal).run(
            clock: YieldingClock(),
            snapshot: {
                // The mode has been set, so nothing is lost with the input that `enter` discards.
                if typed.withLock({
                    let first = !$0; $0 = true; return first
                }) {
                    pseudo.type("pl\u{1B}[Aq")
                }
                return .full
            },
            keys: { key in
                seen.withLock { $0.append(key) }
                if key == .character("q") { all.open() }
            },
            until: { await all.wait() })
        #expect(seen.withLock { $0 } == [.character("p"), .character("l"), .up, .character("q")])
    }

    @Test func `an error is rethrown after the terminal was restored`() async throws {
        let pseudo = try PseudoTerminal(columns: 40, rows: 10)
        let before = pseudo.mode
        await #expect(throws: Failure()) {
            _ = try await LiveScreen(terminal: pseudo.terminal).run(
                clock: YieldingClock(), snapshot: { .full }, keys: { _ in }, until: { throw Failure() })
        }
        #expect(pseudo.mode.c_lflag == before.c_lflag)
        #expect(pseudo.output().hasSuffix("\u{1B}[?1049l"))
    }

    // In a separate process: when a command in another test ends, it resets the signal to its default action, which
    // would end the process of all tests.
    @Test func `a signal restores the terminal, cancels the work and is reported`() async {
        await #expect(processExitsWith: .success) {
            let pseudo = try PseudoTerminal(columns: 40, rows: 10)
            let before = pseudo.mode
            let raised = Mutex(false)
            let end = try await LiveScreen(terminal: pseudo.terminal).run(
                clock: YieldingClock(),
                snapshot: {
                    if raised.withLock({
                        let first = !$0; $0 = true; return first
                    }) {
                        kill(getpid(), SIGTERM)
                    }
                    return .full
                },
                keys: { _ in },
                until: { await Gate().wait() })
            #expect(end == .interrupted(signal: SIGTERM))
            #expect(pseudo.mode.c_lflag == before.c_lflag)
            #expect(pseudo.output().hasSuffix("\u{1B}[?1049l"))
        }
    }

    @Test func `the size is the kernel's, or 80 by 24`() throws {
        let pseudo = try PseudoTerminal(columns: 123, rows: 45)
        #expect(pseudo.terminal.size == TerminalSize(columns: 123, rows: 45))
        pseudo.resize(columns: 50, rows: 12)
        #expect(pseudo.terminal.size == TerminalSize(columns: 50, rows: 12))
        pseudo.resize(columns: 0, rows: 0)
        #expect(pseudo.terminal.size == TerminalSize(columns: 80, rows: 24))
    }

    @Test func `output without a terminal is rejected with a sentence`() throws {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        let terminal = Terminal(input: file, output: file, capability: .plain)
        let error = #expect(throws: TerminalError.self) { try ScreenMode.enter(terminal) }
        #expect(error?.description.hasPrefix("cannot read the mode of the terminal: ") == true)
    }
}

/// Never waits: time passes as fast as possible.
private struct YieldingClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// Waits until it is opened, or until the waiting task is cancelled.
private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}

private final class PseudoTerminal: Sendable {
    private let controller: Int32
    private let device: Int32

    init(columns: UInt16, rows: UInt16) throws {
        var descriptors: (controller: Int32, device: Int32) = (-1, -1)
        try #require(openpty(&descriptors.controller, &descriptors.device, nil, nil, nil) == 0)
        (controller, device) = descriptors
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(device)
        close(controller)
    }

    var terminal: Terminal {
        Terminal(input: device, output: device, capability: TerminalCapability(colour: .palette, unicode: true))
    }

    var mode: termios {
        var mode = termios()
        tcgetattr(device, &mode)
        return mode
    }

    func resize(columns: UInt16, rows: UInt16) {
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &window)
    }

    func type(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { write(controller, $0.baseAddress, $0.count) }
    }

    /// Everything written to the terminal so far.
    func output() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var ready = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        while poll(&ready, 1, 0) > 0, Int32(ready.revents) & POLLIN != 0 {
            let count = read(controller, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
