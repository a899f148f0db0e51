import Foundation

/// The lock of an open file, for programs that check it. The kernel releases it when the file closes, however the
/// process ends.
package enum FileLock {
    /// Takes the lock until the file closes, and returns whether it succeeded; `errno` gives the reason if not.
    ///
    /// A process that is just starting holds the locks of its parent until it runs its own program (`O_CLOEXEC` only
    /// acts then). So a lock that is held is tried again every ten milliseconds.
    package static func take(_ descriptor: Int32, within seconds: Double = 0.25) -> Bool {
        let attempts = Int(seconds * 100)
        for attempt in 0...attempts {
            if again({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
            guard errno == EWOULDBLOCK, attempt < attempts else { return false }
            usleep(10_000)
        }
        return false
    }
}
