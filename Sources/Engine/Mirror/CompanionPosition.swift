package import Mirroring
import SessionLog

/// How much a companion has received. It is in the log, so a process that recovers the session knows it too.
package struct CompanionPosition: Sendable, Equatable {
    /// The number of data entries that its app has received, or that were sent before it joined.
    package var received = 0
    /// The number of its requests that were carried out.
    package var done: MirrorPosition?
}

extension CompanionPosition {
    /// The position in a log entry.
    init(_ progress: CompanionProgress) {
        received = max(0, progress.received)
        if let done = progress.done, let through = UInt64(exactly: done.through) {
            self.done = MirrorPosition(log: done.log, through: through)
        }
    }
}
