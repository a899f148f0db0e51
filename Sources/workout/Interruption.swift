import Dispatch
import Glibc
import Synchronization

/// Ctrl-C while there is no screen: what goes on is told to end, and ends in order.
enum Interruption {
    /// Calls `end` at the first signal. Whether there was one.
    /// - Parameter endsWithOutput: Calls it too when nobody reads what is printed, and the printing is all that is done.
    static func calling(
        endsWithOutput: Bool = false, _ end: @escaping @Sendable () -> Void, _ body: @Sendable () async throws -> Void
    ) async throws -> Bool {
        if endsWithOutput { CommandOutput.standard.whenClosed(end) }
        defer { if endsWithOutput { CommandOutput.standard.whenClosed(nil) } }
        let signals = [SIGINT, SIGTERM, SIGHUP]
        let wasAsked = Atomic(false)
        for number in signals { signal(number, SIG_IGN) }
        let sources = signals.map { DispatchSource.makeSignalSource(signal: $0) }
        for source in sources {
            source.setEventHandler {
                wasAsked.store(true, ordering: .relaxed)
                end()
            }
            source.resume()
        }
        defer {
            for source in sources { source.cancel() }
            for number in signals { signal(number, SIG_DFL) }
        }
        try await body()
        return wasAsked.load(ordering: .relaxed)
    }
}
