import Foundation

/// Why a call to NATS failed, in words that complete a sentence about the servers.
package struct NATSFault: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// The servers cannot be reached, or did not answer.
        case away
        /// Nobody receives the message: no JetStream, or no stream with this subject.
        case nobody
        /// The message is larger than the servers accept.
        case tooLarge
        /// A refusal: credentials, rights, limits.
        case refused
    }

    package var kind: Kind
    package var description: String
    /// The number of JetStream's error.
    package var code: Int?

    package init(_ kind: Kind, _ description: String, code: Int? = nil) {
        self.kind = kind
        self.description = description
        self.code = code
    }
}

/// A received message.
package struct NATSMessage: Sendable, Equatable {
    package var subject: String
    /// The subject for an answer.
    package var reply: String?
    package var bytes: [UInt8]
    /// The requested headers, and the status of an answer without content, such as "408".
    package var headers: [String: String] = [:]
}

/// Runs blocking calls to the servers in order, on a queue of their own.
package struct WaitingCalls: Sendable {
    private let queue = DispatchQueue(label: "nats")

    package init() {}

    package func callAsFunction<Result: Sendable>(
        _ call: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try call() }) }
        }
    }
}

#if Brokers
import CNATS
import LibraryLoading
import Synchronization

/// A connection to a cluster of NATS. The client reconnects by itself, to any of the servers.
///
/// All calls block, so call them on a thread that may wait.
// The client's functions may be called from any thread (NATS C client, "Threading"), and its pointers do not change.
package final class NATSConnection: @unchecked Sendable {
    private let library: LibNATS
    private let connection: OpaquePointer

    /// - Throws: ``BrokerError`` if this machine cannot use NATS at all; ``NATSFault`` if the servers cannot be
    ///   reached.
    package init(_ address: NATSAddress, name: String, timeout: Duration = .seconds(5)) throws {
        let library: LibNATS
        do {
            library = try LibNATS.loaded()
        } catch {
            throw BrokerError.unusable(broker: address.description, reason: "it \(error)")
        }
        self.library = library
        var options: OpaquePointer?
        try library.check(library.optionsCreate(&options))
        defer { library.optionsDestroy(options) }
        var servers = address.servers.map { UnsafePointer(strdup($0)) }
        defer { for server in servers { free(UnsafeMutablePointer(mutating: server)) } }
        try library.check(library.setServers(options, &servers, Int32(servers.count)))
        try library.check(library.setName(options, name))
        try library.check(library.setTimeout(options, timeout.inMilliseconds))
        try library.check(library.setMaxReconnect(options, -1))
        try library.check(library.setReconnectWait(options, 500))
        try library.check(library.setFailsWhenDisconnected(options, true))
        if address.usesTLS { try library.check(library.setSecure(options, true)) }
        if let file = address.certificatesFile { try library.check(library.setCertificates(options, file)) }
        if let file = address.credentialsFile {
            try library.check(library.setCredentials(options, file, nil))
        } else if let file = address.seedFile {
            try library.check(library.setSeed(options, address.user, file))
        } else if let user = address.user {
            try library.check(library.setUser(options, user, address.password ?? ""))
        }
        var made: OpaquePointer?
        try library.check(library.connect(&made, options))
        guard let made else { throw NATSFault(.away, "cannot be reached") }
        connection = made
    }

    deinit { library.connectionDestroy(connection) }

    private struct Weak {
        weak var connection: NATSConnection?
    }

    private static let open = Mutex<[(address: NATSAddress, connection: Weak)]>([])

    /// The connection by which this process publishes and mirrors sessions. It is closed when it is no longer used.
    package static func shared(_ address: NATSAddress) throws -> NATSConnection {
        func known(_ open: [(address: NATSAddress, connection: Weak)]) -> NATSConnection? {
            open.first { $0.address == address }?.connection.connection.flatMap { $0.isClosed ? nil : $0 }
        }
        if let connection = open.withLock({ known($0) }) { return connection }
        let new = try NATSConnection(address, name: "workout")
        return open.withLock { open in
            if let connection = known(open) { return connection }
            open.removeAll { $0.address == address || $0.connection.connection == nil }
            open.append((address, Weak(connection: new)))
            return new
        }
    }

    /// Whether the client no longer tries to reach the servers.
    private var isClosed: Bool { library.connectionStatus(connection) == NATS_CONN_STATUS_CLOSED }

    /// The size of the largest message that the servers accept.
    package var longestMessage: Int { max(1, Int(library.maxPayload(connection))) }

    /// Whether a server is connected now.
    package var isUp: Bool { library.connectionStatus(connection) == NATS_CONN_STATUS_CONNECTED }

    /// Sends a message and waits for its answer.
    package func request(
        _ subject: String, _ bytes: some Collection<UInt8>, headers: [(String, String)] = [],
        timeout: Duration = .seconds(5)
    ) throws(NATSFault) -> NATSMessage {
        var message: OpaquePointer?
        let bytes = Array(bytes)
        try bytes.withUnsafeBufferPointer { buffer throws(NATSFault) in
            try library.check(
                buffer.withMemoryRebound(to: CChar.self) {
                    library.messageCreate(&message, subject, nil, $0.baseAddress, Int32($0.count))
                })
        }
        defer { library.messageDestroy(message) }
        for (name, value) in headers { try library.check(library.setHeader(message, name, value)) }
        var answer: OpaquePointer?
        try library.check(library.request(&answer, connection, message, timeout.inMilliseconds))
        defer { library.messageDestroy(answer) }
        return library.message(answer)
    }

    /// Sends a message without an answer.
    package func publish(_ subject: String, _ bytes: [UInt8] = [], reply: String? = nil) throws(NATSFault) {
        try library.check(
            reply.map { library.publishRequest(connection, subject, $0, bytes, Int32(bytes.count)) }
                ?? library.publish(connection, subject, bytes, Int32(bytes.count)))
    }

    package func subscribe(_ subject: String) throws(NATSFault) -> NATSSubscription {
        var subscription: OpaquePointer?
        try library.check(library.subscribe(&subscription, connection, subject))
        guard let subscription else { throw NATSFault(.away, "cannot be reached") }
        return NATSSubscription(library, subscription, self)
    }

    /// Returns a subject for answers to this connection only.
    package func makeInbox() throws(NATSFault) -> String {
        var inbox: UnsafeMutablePointer<CChar>?
        try library.check(library.inboxCreate(&inbox))
        defer { library.inboxDestroy(inbox) }
        return inbox.map { String(cString: $0) } ?? ""
    }
}

/// The messages of a subject.
// As for the connection. Only one reader at a time uses the subscription.
package final class NATSSubscription: @unchecked Sendable {
    private let library: LibNATS
    private let subscription: OpaquePointer
    private let connection: NATSConnection

    fileprivate init(_ library: LibNATS, _ subscription: OpaquePointer, _ connection: NATSConnection) {
        self.library = library
        self.subscription = subscription
        self.connection = connection
    }

    deinit { library.subscriptionDestroy(subscription) }

    /// Waits for the next message. Nil if none comes in time.
    package func next(within timeout: Duration) throws(NATSFault) -> NATSMessage? {
        var message: OpaquePointer?
        let status = library.nextMessage(&message, subscription, max(1, timeout.inMilliseconds))
        if status == NATS_TIMEOUT { return nil }
        try library.check(status)
        defer { library.messageDestroy(message) }
        return library.message(message)
    }
}

extension LibNATS {
    fileprivate func check(_ status: natsStatus) throws(NATSFault) {
        guard status != NATS_OK else { return }
        let text = statusText(status).map { String(cString: $0) } ?? "unknown error"
        var last = status
        let detail = lastError(&last).map { String(cString: $0) } ?? ""
        let words = detail.isEmpty || last != status ? text : detail
        switch status {
        case NATS_NO_SERVER, NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED, NATS_IO_ERROR:
            throw NATSFault(.away, "cannot be reached (\(words))")
        case NATS_TIMEOUT: throw NATSFault(.away, "did not answer in time")
        case NATS_NO_RESPONDERS: throw NATSFault(.nobody, "has no receiver for the message")
        case NATS_MAX_PAYLOAD: throw NATSFault(.tooLarge, "does not accept messages of this size")
        default: throw NATSFault(.refused, "refuses (\(words))")
        }
    }

    fileprivate func message(_ message: OpaquePointer?) -> NATSMessage {
        let count = max(0, Int(messageDataLength(message)))
        let bytes = messageData(message).map { pointer in
            pointer.withMemoryRebound(to: UInt8.self, capacity: count) {
                Array(UnsafeBufferPointer(start: $0, count: count))
            }
        }
        var headers: [String: String] = [:]
        for name in JetStream.headers {
            var value: UnsafePointer<CChar>?
            if messageHeader(message, name, &value) == NATS_OK, let value { headers[name] = String(cString: value) }
        }
        return NATSMessage(
            subject: messageSubject(message).map { String(cString: $0) } ?? "",
            reply: messageReply(message).map { String(cString: $0) }, bytes: bytes ?? [], headers: headers)
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
#else
/// Without brokers there are no connections.
package final class NATSConnection: Sendable {
    /// - Throws: ``BrokerError/leftOut`` always.
    package init(_ address: NATSAddress, name: String, timeout: Duration = .seconds(5)) throws {
        throw BrokerError.leftOut
    }

    package static func shared(_ address: NATSAddress) throws -> NATSConnection { throw BrokerError.leftOut }
    package var longestMessage: Int { 0 }

    package func request(
        _ subject: String, _ bytes: some Collection<UInt8>, headers: [(String, String)] = [],
        timeout: Duration = .seconds(5)
    ) throws(NATSFault) -> NATSMessage { throw NATSFault(.away, "cannot be reached") }

    package func publish(_ subject: String, _ bytes: [UInt8] = [], reply: String? = nil) throws(NATSFault) {}
    package func subscribe(_ subject: String) throws(NATSFault) -> NATSSubscription {
        throw NATSFault(.away, "cannot be reached")
    }
    package func makeInbox() throws(NATSFault) -> String { "" }
}

package final class NATSSubscription: Sendable {
    package func next(within timeout: Duration) throws(NATSFault) -> NATSMessage? { nil }
}
#endif
