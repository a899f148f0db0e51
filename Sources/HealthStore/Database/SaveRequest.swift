import Dispatch
import Foundation
import Glibc
import SessionLog
import Synchronization

/// Asks the running sessions of all processes to save their latest samples, so that readers of the store find them.
///
/// A session saves its samples once a minute, because each save writes a page of the store. While samples wait, it
/// holds a shared lock on the file `-live` beside the store. A reader opens that file, the kernel notifies the session
/// (inotify(7), `IN_OPEN`), and the reader continues once the lock is free. So no session wakes up unless somebody
/// reads.
package enum SaveRequest {
    /// How long a reader waits for an unresponsive process.
    private static let patience = Duration.seconds(1)
    private static let pauseInMicroseconds: UInt32 = 2_000

    fileprivate static func file(besideStore path: String) -> String { path + "-live" }

    /// Returns when the sessions have saved their samples, or at once if none wait.
    package static func make(besideStore path: String) {
        let end = ContinuousClock.now + patience
        while !isAnswered(besideStore: path), ContinuousClock.now < end { usleep(pauseInMicroseconds) }
    }

    private static func isAnswered(besideStore path: String) -> Bool {
        let descriptor = open(file(besideStore: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// A reader that asks repeatedly. It first checks whether samples wait, which wakes nobody.
    final class Standing: Sendable {
        private let file: String
        /// -1 without a file.
        private let descriptor = Mutex<Int32>(-1)

        init(besideStore path: String) { file = SaveRequest.file(besideStore: path) }

        deinit { descriptor.withLock { if $0 >= 0 { close($0) } } }

        /// Asks the sessions of all processes without waiting for the answer.
        /// - Returns: Whether samples wait.
        func ask() -> Bool {
            guard samplesWait else { return false }
            let opened = open(file, O_RDONLY | O_CLOEXEC)
            if opened >= 0 { close(opened) }
            return true
        }

        private var samplesWait: Bool {
            descriptor.withLock { descriptor in
                var status = stat()
                if descriptor >= 0, fstat(descriptor, &status) != 0 || status.st_nlink == 0 {
                    close(descriptor)
                    descriptor = -1
                }
                if descriptor < 0 { descriptor = open(file, O_RDONLY | O_CLOEXEC) }
                guard descriptor >= 0 else { return false }
                guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
                flock(descriptor, LOCK_UN)
                return false
            }
        }
    }
}

/// The requests to a session.
package final class SaveRequests: Sendable {
    private static let all = Mutex<[ObjectIdentifier: Member]>([:])

    private let path: String
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let save: @Sendable () -> Void
    private let state: Mutex<State>

    private struct Member {
        weak var requests: SaveRequests?
    }

    private struct State {
        var source: any DispatchSourceRead
        var isHeld = false
    }

    /// Nil if the file cannot be made or watched.
    /// - Parameter save: Called on `queue` for each request. Must call ``release()`` in the end.
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
        self.path = path
        self.descriptor = descriptor
        self.queue = queue
        self.save = save
        let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
        source.setEventHandler {
            // Combines several requests.
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while read(watch, buffer.baseAddress, buffer.count) > 0 {}
            }
            save()
        }
        source.setCancelHandler { close(watch) }
        source.activate()
        state = Mutex(State(source: source))
        Self.all.withLock { $0[ObjectIdentifier(self)] = Member(requests: self) }
    }

    /// Asks the sessions of this process directly, without the kernel.
    ///
    /// - Parameter saved: Called on a session's queue when it has saved its waiting samples.
    /// - Returns: Whether samples wait.
    static func ask(besideStore path: String, _ saved: @escaping @Sendable () -> Void) -> Bool {
        let members = all.withLock { $0.values.compactMap(\.requests) }
        let asked = members.filter { $0.path == path && $0.state.withLock { $0.isHeld } }
        for requests in asked {
            requests.queue.async {
                requests.save()
                saved()
            }
        }
        return !asked.isEmpty
    }

    deinit {
        Self.all.withLock { $0[ObjectIdentifier(self)] = nil }
        state.withLock { $0.source.cancel() }
        close(descriptor)
    }

    /// Notes that samples wait, so that readers ask for them.
    /// - Returns: False if a reader is checking at this very moment.
    package func hold() -> Bool {
        state.withLock { state in
            if !state.isHeld { state.isHeld = flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
            return state.isHeld
        }
    }

    /// Notes that no samples wait, or that they cannot be saved now.
    package func release() {
        state.withLock { state in
            if state.isHeld { flock(descriptor, LOCK_UN) }
            state.isHeld = false
        }
    }
}
