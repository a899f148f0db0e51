/// Receives each entry once it is in the log. Called on the recorder's queue, and must not block it for long.
package protocol SessionLogSink: Sendable {
    func append(_ entry: SessionEntry)
    /// Called when the appended entries are void, because another log replaces this one from its first entry on. Only
    /// occurs with a followed log.
    func beginAnew()
}

extension SessionLogSink {
    package func beginAnew() {}
}
