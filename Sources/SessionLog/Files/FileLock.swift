import Foundation

/// The one lock of an open file that others who ask for it respect; the kernel lets it go with the file, whatever the process
/// dies of.
package enum FileLock {
    /// Whether this open file has the lock, from now until it is closed; `errno` says why not.
    ///
    /// A process that is being started holds the locks of the one that starts it until it runs its own program (`O_CLOEXEC` acts
    /// only then), so one that is held is asked for again every ten milliseconds.
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
