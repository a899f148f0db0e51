import Foundation

/// The content of a full screen at a moment. Equal contents look the same.
protocol ScreenContent: Equatable, Sendable {
    func lines(_ size: TerminalSize, _ capability: TerminalCapability) -> [String]
}

/// Draws on the whole terminal and passes on the keys pressed.
///
/// The screen requests the content when it needs it, at most ten times a second. It draws nothing while nothing
/// changes.
struct TerminalScreen: Sendable {
    /// Why the screen was closed.
    enum End: Sendable, Equatable {
        /// `until` returned.
        case finished
        /// This signal asked the process to end. `until` was cancelled, and the terminal is restored.
        case interrupted(signal: Int32)
    }

    static let shortestRefresh = Duration.milliseconds(100)

    var terminal: Terminal

    /// Takes the terminal over until `until` returns, and always restores it.
    ///
    /// The first SIGINT (Ctrl-C), SIGTERM or SIGHUP closes the screen, cancels `until` and returns, so that the caller
    /// can save. A second one kills the process.
    ///
    /// - Parameters:
    ///   - clock: Paces the drawing: the wall clock, unless a test passes its own.
    ///   - content: Called from this task, at most ten times a second.
    ///   - keys: Called for each key, in order.
    ///   - until: The work that the screen shows. Its errors are rethrown after the terminal is restored.
    func run<Content: ScreenContent>(
        clock: some Clock<Duration> = ContinuousClock(),
        content: @escaping @Sendable () -> Content,
        keys: @escaping @Sendable (Key) -> Void,
        until: @escaping @Sendable () async throws -> Void
    ) async throws -> End {
        try ScreenMode.enter(terminal)
        defer { ScreenMode.leave() }
        return try await withThrowingTaskGroup(of: End?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    try await until()
                } catch {
                    // Cancelled because of a signal, which is no error of the work.
                    guard ScreenMode.interruption == nil else { return nil }
                    throw error
                }
                return .finished
            }
            group.addTask {
                for await key in terminal.keys() { keys(key) }
                return nil
            }
            group.addTask { try await draw(content, clock: clock) }
            while let end = try await group.next() {
                if let end { return ScreenMode.interruption.map { .interrupted(signal: $0) } ?? end }
            }
            return .finished
        }
    }

    private func draw<Content: ScreenContent>(
        _ content: () -> Content, clock: some Clock<Duration>
    ) async throws -> End? {
        var shown: (frame: [String], content: Content, size: TerminalSize)?
        while !Task.isCancelled {
            if let signal = ScreenMode.interruption { return .interrupted(signal: signal) }
            if ScreenMode.takeNeedsRedraw() { shown = nil }
            let size = terminal.size
            if shown?.size != size { shown = nil }
            let current = content()
            if shown?.content != current {
                let frame = current.lines(size, terminal.capability)
                try ScreenMode.draw(FrameDiff.bytes(from: shown?.frame, to: frame), on: terminal)
                shown = (frame, current, size)
            }
            // Cancelled: the work is done, and its group knows.
            do { try await clock.sleep(for: Self.shortestRefresh) } catch { return nil }
        }
        return nil
    }
}

/// The bytes that change a screen from one frame to the next.
enum FrameDiff {
    /// Returns the bytes, none if both frames are the same. `old` is nil if the content of the screen is unknown: it is
    /// then cleared.
    ///
    /// The line is erased before it is written, not after: after a full line the cursor is still on the last column,
    /// and erasing to the right would remove that character. The update is marked as one (private mode 2026,
    /// "synchronized output"), which terminals that do not know it ignore.
    static func bytes(from old: [String]?, to new: [String]) -> String {
        guard old != new else { return "" }
        var output = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        let known = old ?? []
        for row in 0..<max(new.count, known.count) {
            let line = row < new.count ? new[row] : ""
            if row < known.count ? known[row] == line : line.isEmpty { continue }
            output += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)"
        }
        return "\u{1B}[?2026h\(output)\u{1B}[?2026l"
    }
}
