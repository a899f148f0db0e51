#if Bluetooth
import Foundation

/// A thread that waits for one descriptor and calls back when it is ready.
///
/// It lives from `start` until the callback returns nil, and keeps the callback's captures alive until then.
final class DescriptorWatch: Sendable {
    /// What to wait for next.
    struct Interest {
        var descriptor: Int32
        /// `POLLIN`, `POLLOUT`. The end of a connection is always reported.
        var events: Int32
        /// The callback is called after this time even if nothing happens. Nil waits forever.
        var timeout: Duration?
    }

    private let wakeReading: Int32
    private let wakeWriting: Int32

    init() throws(SystemFault) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { throw SystemFault("open a pipe") }
        (wakeReading, wakeWriting) = (ends[0], ends[1])
        for end in ends {
            setNonBlocking(end)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(wakeReading)
        close(wakeWriting)
    }

    /// - Parameter turn: Called on the thread with the ready events of the descriptor (`revents`), or 0 after `wake` or
    ///   the timeout. Returns what to wait for next; nil ends the thread.
    func start(_ name: String, _ first: Interest, _ turn: @escaping @Sendable (Int32) -> Interest?) {
        let thread = Thread { [self] in
            var interest = first
            while true {
                var waits = [
                    pollfd(fd: interest.descriptor, events: Int16(interest.events), revents: 0),
                    pollfd(fd: wakeReading, events: Int16(POLLIN), revents: 0),
                ]
                let ready = poll(&waits, 2, interest.timeout.map(Self.milliseconds) ?? -1)
                if ready < 0 && errno != EINTR { waits[0].revents = Int16(POLLERR) }
                if waits[1].revents != 0 { drain() }
                guard let next = turn(ready > 0 || waits[0].revents != 0 ? Int32(waits[0].revents) : 0) else { return }
                interest = next
            }
        }
        thread.name = name
        thread.stackSize = 1 << 19
        thread.start()
    }

    /// Has the callback called soon.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes the thread as well.
        _ = write(wakeWriting, &byte, 1)
    }

    private func drain() {
        var room = [UInt8](repeating: 0, count: 64)
        while read(wakeReading, &room, room.count) > 0 {}
    }

    /// Rounds up, so that the callback is not called too early and then again at once.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(clamping: min(seconds, 1 << 20) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
#endif
