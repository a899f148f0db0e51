/// Where wall time comes from: the system, or a test that turns the hands itself.
package protocol TimeSource: Sendable {
    /// The wall clock.
    func now() -> Date
    /// Returns when the wall clock reads `date`, at once when it already does. Throws `CancellationError`.
    func sleep(until date: Date) async throws
}

/// The machine's own clock.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(until date: Date) async throws {
        let seconds = date.timeIntervalSinceNow
        guard seconds > 0 else { return try Task.checkCancellation() }
        try await Task.sleep(for: .seconds(seconds))
    }
}
