#if Brokers
import Foundation
import Glibc
import Synchronization

/// Carries streams of bytes between two machines through NATS. Each machine is connected to the servers, and not to the
/// other.
///
/// A service receives each dial on `mirror.PREFIX.NAME.dial` and answers with a subject for that stream. The other
/// direction uses the dialler's inbox. Each message has its number in eight bytes, from 0 on (big-endian), and then
/// bytes of the stream. A message without bytes ends it. A missing message and the loss of the servers end the stream,
/// too, and its user dials again. The tunnel does not protect its contents, so the two ends must encrypt and
/// authenticate them.
///
/// The subjects are outside the prefix of sessions, so that no stream stores them.
package final class NATSTunnel: Sendable {
    /// The most streams served at a time.
    private static let mostStreams = 64
    private static let pause = Duration.milliseconds(500)
    private static let messageBytes = 1 << 14

    private let address: NATSAddress
    private let prefix: String

    package init(_ address: NATSAddress) {
        self.address = address
        prefix = "mirror.\(address.prefix)"
    }

    /// Opens a stream to the service with this name. Blocks for a few seconds at most.
    /// - Returns: A socket, which the caller closes.
    /// - Throws: ``NATSFault``, with ``NATSFault/Kind/nobody`` without a service; ``BrokerError``.
    package func connect(to name: String) throws -> Int32 {
        let connection = try NATSConnection.shared(address)
        let inbox = try connection.makeInbox()
        let arriving = try connection.subscribe(inbox)
        let dialled = Result { () throws(NATSFault) in
            try connection.request("\(prefix).\(name).dial", Array(inbox.utf8))
        }
        if case .failure(let fault) = dialled, fault.kind == .nobody {
            throw NATSFault(.nobody, "nobody listens there")
        }
        let answer = try dialled.get()
        let subject = String(decoding: answer.bytes, as: UTF8.self)
        guard subject.hasPrefix("\(prefix).\(name).") else { throw NATSFault(.refused, "has no room for another link") }
        let (own, given) = try Self.sockets()
        TunnelStream(connection, arriving, to: subject, own).start {}
        return given
    }

    /// Serves a name until ``Service/close()``.
    /// - Parameters:
    ///   - open: Returns a socket for each stream. Called on a thread that may wait.
    ///   - report: Called with a sentence if the servers are away, once.
    package func serve(
        _ name: String, open: @escaping @Sendable () throws -> Int32, report: @escaping @Sendable (String) -> Void
    ) -> Service {
        let service = Service()
        Thread.detachNewThread { [self] in
            var lastFailure: String?
            while !service.isClosed {
                do {
                    try answer(name, service, open)
                } catch {
                    let sentence = error is NATSFault ? "\(address) \(error)." : "\(error)"
                    if sentence != lastFailure { report(sentence) }
                    lastFailure = sentence
                    Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
                }
            }
        }
        return service
    }

    /// Answers dials until the service is closed.
    private func answer(_ name: String, _ service: Service, _ open: @Sendable () throws -> Int32) throws {
        let connection = try NATSConnection.shared(address)
        let dials = try connection.subscribe("\(prefix).\(name).dial")
        while !service.isClosed {
            guard let dial = try dials.next(within: Self.pause), let reply = dial.reply else { continue }
            guard service.streams.add(1, ordering: .relaxed).oldValue < Self.mostStreams else {
                service.streams.subtract(1, ordering: .relaxed)
                try connection.publish(reply, [])
                continue
            }
            do {
                let subject = "\(prefix).\(name).\(UUID().uuidString)"
                let arriving = try connection.subscribe(subject)
                let socket = try open()
                TunnelStream(connection, arriving, to: String(decoding: dial.bytes, as: UTF8.self), socket).start {
                    service.streams.subtract(1, ordering: .relaxed)
                }
                try connection.publish(reply, Array(subject.utf8))
            } catch {
                service.streams.subtract(1, ordering: .relaxed)
                throw error
            }
        }
    }

    /// The two ends of a stream.
    private static func sockets() throws -> (Int32, Int32) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw NATSFault(.away, "cannot be used: \(String(cString: strerror(errno)))")
        }
        return (pair[0], pair[1])
    }

    /// A service with a name.
    package final class Service: Sendable {
        private let closed = Atomic(false)
        fileprivate let streams = Atomic(0)

        fileprivate var isClosed: Bool { closed.load(ordering: .acquiring) }

        /// Accepts no more dials. Open streams stay.
        package func close() { closed.store(true, ordering: .releasing) }
    }

    /// One stream: two threads, one for each direction. It ends as a whole.
    private final class TunnelStream: Sendable {
        private let connection: NATSConnection
        private let arriving: NATSSubscription
        private let subject: String
        private let socket: Int32
        private let isOver = Atomic(false)
        private let running = Atomic(2)

        init(_ connection: NATSConnection, _ arriving: NATSSubscription, to subject: String, _ socket: Int32) {
            (self.connection, self.arriving, self.subject, self.socket) = (connection, arriving, subject, socket)
        }

        func start(_ ended: @escaping @Sendable () -> Void) {
            Thread.detachNewThread { [self] in
                send()
                end(ended)
            }
            Thread.detachNewThread { [self] in
                receive()
                end(ended)
            }
        }

        private func end(_ ended: () -> Void) {
            isOver.store(true, ordering: .releasing)
            shutdown(socket, Int32(SHUT_RDWR))
            // The last thread closes the socket, because its number must not be reused before.
            guard running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            close(socket)
            ended()
        }

        private func send() {
            var number: UInt64 = 0
            var buffer = [UInt8](repeating: 0, count: NATSTunnel.messageBytes)
            while true {
                let count = read(socket, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                let bytes = buffer.prefix(max(0, count))
                let message = withUnsafeBytes(of: number.bigEndian, Array.init) + bytes
                guard (try? connection.publish(subject, message)) != nil, count > 0 else { return }
                number += 1
            }
        }

        private func receive() {
            var expected: UInt64 = 0
            while !isOver.load(ordering: .acquiring) {
                guard let next = try? arriving.next(within: NATSTunnel.pause) else {
                    if connection.isUp { continue }
                    return
                }
                guard next.bytes.count > 8 else { return }
                let number = next.bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                guard number == expected, write(next.bytes.dropFirst(8)) else { return }
                expected += 1
            }
        }

        private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
#else
/// Without brokers there are no tunnels.
package final class NATSTunnel: Sendable {
    package init(_ address: NATSAddress) {}

    package func connect(to name: String) throws -> Int32 { throw BrokerError.leftOut }

    package func serve(
        _ name: String, open: @escaping @Sendable () throws -> Int32, report: @escaping @Sendable (String) -> Void
    ) -> Service {
        report("\(BrokerError.leftOut)")
        return Service()
    }

    package final class Service: Sendable {
        package func close() {}
    }
}
#endif
