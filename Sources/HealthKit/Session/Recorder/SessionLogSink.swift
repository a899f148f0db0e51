package import SessionLog

/// Who is told of each entry once it is in the log. Called on the recorder's queue; must not block it for long.
package protocol SessionLogSink: Sendable {
    func append(_ entry: SessionEntry)
    /// What was appended so far is void: another log takes its place, from its first entry on. Only where a log is followed.
    func beginAnew()
}

extension SessionLogSink {
    package func beginAnew() {}
}
