import Dispatch
import Foundation
import Glibc
import Recordings
import Synchronization

/// Asks the running sessions of all processes to save what they have measured, so that a reader of the store finds it.
///
/// A session saves its samples once a minute, since each group that is saved changes a page of the store. In between, as long as
/// samples wait, it has a shared lock on the file `-live` beside the store. A reader opens that file, of which the kernel tells the
/// session (inotify(7), `IN_OPEN`), and reads as soon as the lock is free. So nobody has to wake up to find out whether somebody
/// reads.
package enum SaveRequest {
    /// How long a reader waits for a process that does not answer.
    private static let patience = Duration.seconds(1)
    private static let pauseInMicroseconds: UInt32 = 2_000

    fileprivate static func file(besideStore path: String) -> String { path + "-live" }

    /// Returns when the sessions have saved what they had, and at once if none has anything.
    package static func make(besideStore path: String) {
        let end = ContinuousClock.now + patience
        while !isAnswered(besideStore: path), ContinuousClock.now < end { usleep(pauseInMicroseconds) }
    }

    /// The same without waiting for the answer.
    /// - Returns: Nil if nothing is to be waited for.
    static func announce(besideStore path: String) -> Answer? {
        guard let answer = Answer(to: file(besideStore: path)), !answer.isHere else { return nil }
        return answer
    }

    private static func isAnswered(besideStore path: String) -> Bool { announce(besideStore: path) == nil }

    /// What the sessions make of a request.
    final class Answer: Sendable {
        private let descriptor: Int32

        /// Nil if no session has ever held the file.
        fileprivate init?(to file: String) {
            descriptor = open(file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
        }

        deinit { close(descriptor) }

        /// Whether no session has anything any more that waits.
        var isHere: Bool {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno != EWOULDBLOCK }
            flock(descriptor, LOCK_UN)
            return true
        }
    }
}

/// The requests that come to a session.
package final class SaveRequests: Sendable {
    private let descriptor: Int32
    private let state: Mutex<State>

    private struct State {
        var source: any DispatchSourceRead
        var isHeld = false
    }

    /// Nil if the file cannot be made or watched.
    /// - Parameter save: Called on `queue` for each request; is to end in ``release()``.
    package init?(besideStore path: String, on queue: DispatchQueue, _ save: @escaping @Sendable () -> Void) {
        let file = SaveRequest.file(besideStore: path)
        // A new store has no folder yet.
        try? DurableFile.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent())
        let descriptor = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard watch >= 0, inotify_add_watch(watch, file, UInt32(IN_OPEN)) >= 0 else {
            if watch >= 0 { close(watch) }
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
        source.setEventHandler {
            // Several requests are one.
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while read(watch, buffer.baseAddress, buffer.count) > 0 {}
            }
            save()
        }
        source.setCancelHandler { close(watch) }
        source.activate()
        state = Mutex(State(source: source))
    }

    deinit {
        state.withLock { $0.source.cancel() }
        close(descriptor)
    }

    /// Samples wait: readers ask for them.
    /// - Returns: Whether they do; not while one looks at just this moment.
    package func hold() -> Bool {
        state.withLock { state in
            if !state.isHeld { state.isHeld = flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
            return state.isHeld
        }
    }

    /// None wait any more, or they cannot be saved now.
    package func release() {
        state.withLock { state in
            if state.isHeld { flock(descriptor, LOCK_UN) }
            state.isHeld = false
        }
    }
}
