import Glibc

/// Wakes one thread that sleeps in `poll`.
final class WakeUp: Sendable {
    /// Readable after a signal.
    let reader: Int32
    private let writer: Int32

    /// - Throws: ``BrokerError`` if there are no file descriptors left.
    init(for broker: BrokerAddress) throws(BrokerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .unusable(broker: broker.description, reason: String(cString: strerror(errno)))
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// A full pipe already contains a signal.
    func signal() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}
