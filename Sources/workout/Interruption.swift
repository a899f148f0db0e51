import Dispatch
import Glibc
import Synchronization

/// Handles Ctrl-C while there is no screen, so that the work can end in order.
enum Interruption {
    /// Runs the work and calls `end` at the first signal. Returns whether there was one.
    /// - Parameter endsWithOutput: Whether to call `end` too if nobody reads the output, because printing is the only
    ///   work.
    /// - Parameter seconds: Also calls `end` after this time.
    static func calling(
        endsWithOutput: Bool = false, after seconds: Double? = nil, _ end: @escaping @Sendable () -> Void,
        _ body: @Sendable () async throws -> Void
    ) async throws -> Bool {
        let timer = seconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                end()
            }
        }
        defer { timer?.cancel() }
        if endsWithOutput { CommandOutput.standard.whenClosed(end) }
        defer { if endsWithOutput { CommandOutput.standard.whenClosed(nil) } }
        // Whoever started this command with `nohup` wants it to go on without the terminal.
        let signals = [SIGINT, SIGTERM] + (isIgnoring(handler(of: SIGHUP)) ? [] : [SIGHUP])
        let wasAsked = Atomic(false)
        let sources = signals.map { DispatchSource.makeSignalSource(signal: $0) }
        for (number, source) in zip(signals, sources) {
            source.setEventHandler {
                wasAsked.store(true, ordering: .relaxed)
                end()
            }
            // Until then a signal has its default action, so none is lost.
            await withCheckedContinuation { done in
                source.setRegistrationHandler { done.resume() }
                source.resume()
            }
            keepHandler(of: number)
        }
        defer {
            for source in sources { source.cancel() }
            for number in signals { signal(number, SIG_DFL) }
        }
        try await body()
        return wasAsked.load(ordering: .relaxed)
    }
}

extension Interruption {
    /// Dispatch's own handlers, which it installs only for the first source of a signal.
    private static let handlers = Mutex<[Int32: sighandler_t]>([:])

    /// Nil for the default action.
    static func handler(of number: Int32) -> sighandler_t? {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.__sigaction_handler.sa_handler
    }

    /// Notes the handler of a signal with a source, or installs it again after an earlier call has removed it.
    private static func keepHandler(of number: Int32) {
        let handler = handler(of: number)
        handlers.withLock { handlers in
            if let handler, !isIgnoring(handler) {
                handlers[number] = handler
            } else if let known = handlers[number] {
                signal(number, known)
            }
        }
    }
}

/// Whether the action of a signal is `SIG_IGN`, which is no function and has the value 1 on Linux.
func isIgnoring(_ action: sighandler_t?) -> Bool { unsafeBitCast(action, to: Int.self) == 1 }
