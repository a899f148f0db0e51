/// Draws a running session on a terminal and passes on the keys pressed.
///
/// The screen only reads: it requests a snapshot when it needs one, and never delays the session.
struct LiveScreen: Sendable {
    typealias End = TerminalScreen.End

    var terminal: Terminal

    /// See ``TerminalScreen/run(clock:content:keys:until:)``.
    func run(
        clock: some Clock<Duration> = ContinuousClock(),
        snapshot: @escaping @Sendable () -> LiveSnapshot,
        keys: @escaping @Sendable (Key) -> Void,
        until: @escaping @Sendable () async throws -> Void
    ) async throws -> End {
        try await TerminalScreen(terminal: terminal).run(clock: clock, content: snapshot, keys: keys, until: until)
    }
}

extension LiveSnapshot: ScreenContent {
    func lines(_ size: TerminalSize, _ capability: TerminalCapability) -> [String] {
        LiveView(size: size, capability: capability).lines(of: self)
    }
}
