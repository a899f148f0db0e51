import Foundation

/// Writes the module's own messages to standard error, beside the app's output.
///
/// If the stream is closed, full, or left by its reader, the app continues without the message, which is worth no
/// workout. (`FileHandle.write` stops the program there.)
package enum StandardError {
    /// One line.
    package static func notify(_ line: String) { write("HealthKit: \(PrintableText.of(line))\n") }

    /// Writes text as it is. Its parts from elsewhere are already ``PrintableText``.
    package static func write(_ text: String) {
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var others = sigset_t()
        sigpending(&others)
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &mask)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        // The signal of our own write, not one that the app waits for.
        if sigismember(&others, SIGPIPE) == 0 {
            var now = timespec()
            sigtimedwait(&pipe, nil, &now)
        }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
