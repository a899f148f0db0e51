package import Mirroring
import Recordings

/// How far a companion is. As the log says it, so that a process which recovers the session knows it, too.
package struct CompanionPosition: Sendable, Equatable {
    /// How many pieces of data its app has had, or was not there for.
    package var received = 0
    /// How far what it asked for was done.
    package var done: MirrorPosition?
}

extension CompanionPosition {
    /// As the log says it.
    init(_ progress: CompanionProgress) {
        received = max(0, progress.received)
        if let done = progress.done, let through = UInt64(exactly: done.through) {
            self.done = MirrorPosition(log: done.log, through: through)
        }
    }
}
